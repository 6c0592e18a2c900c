import type { AccountAnswer } from '@rowhouse/contracts';
import { Button, PasswordInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDeleteAccount } from '../../data/session/mutations.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { Panel } from '../../ui/panel.js';
import classes from './account.module.css';

/** Deletes the account after the email address and the password are entered. */
export function DeleteAccountPanel({ account }: { account: AccountAnswer }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title="Delete account" tone="brick">
      <div className={classes.danger}>
        <p className={classes.note}>Your sessions, tokens and memberships go. What you made for an organization of others stays theirs.</p>
        <Button color="brick" variant="outline" onClick={() => setOpen(true)}>Delete account</Button>
      </div>
      <DeleteAccountDialog account={account} opened={isOpen} onClose={() => setOpen(false)} />
    </Panel>
  );
}

function DeleteAccountDialog({ account, opened, onClose }: { account: AccountAnswer; opened: boolean; onClose: () => void }) {
  const remove = useDeleteAccount();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const close = (): void => {
    remove.reset();
    setPassword('');
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened} title="Delete account" actionLabel="Delete account" typedWord={account.email} isComplete={password !== ''}
      isPending={remove.isPending} error={remove.error} errorTitle="The account was not deleted" onClose={close}
      onConfirm={() => remove.mutate({ confirm: account.email, password }, { onSuccess: () => void navigate({ to: '/login', search: { deleted: true } }) })}
    >
      <p className={classes.note}>It goes at once and for good, with the organizations that nobody but you belongs to and that have no project.</p>
      <PasswordInput mt={14} label="Your password" autoComplete="current-password" value={password} onChange={(event) => setPassword(event.currentTarget.value)} />
    </ConfirmDialog>
  );
}
