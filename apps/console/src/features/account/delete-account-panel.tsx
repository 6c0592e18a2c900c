import type { AccountResponse } from '@rowhouse/contracts';
import { Button, PasswordInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDeleteAccount } from '../../data/session/mutations.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { Panel } from '../../ui/layout/panel.js';
import classes from './account.module.css';

/** Deletes the account after the email address and the password are entered. */
export function DeleteAccountPanel({ account }: { account: AccountResponse }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title="Delete account" tone="brick">
      <div className={classes.danger}>
        <p className={classes.note}>
          Deletes your sessions, tokens and memberships. Work in other people’s organizations is kept.
        </p>
        <Button color="brick" variant="outline" onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </div>
      <DeleteAccountDialog account={account} opened={isOpen} onClose={() => setOpen(false)} />
    </Panel>
  );
}

function DeleteAccountDialog({
  account,
  opened,
  onClose,
}: {
  account: AccountResponse;
  opened: boolean;
  onClose: () => void;
}) {
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
      opened={opened}
      title="Delete account"
      actionLabel="Delete account"
      typedWord={account.email}
      isComplete={password !== ''}
      isPending={remove.isPending}
      error={remove.error}
      errorTitle="Couldn’t delete the account"
      onClose={close}
      onConfirm={() =>
        remove.mutate(
          { confirm: account.email, password },
          { onSuccess: () => void navigate({ to: '/login', search: { deleted: true } }) },
        )
      }
    >
      <p className={classes.note}>
        This is immediate and permanent. Organizations with no other members and no projects are deleted too.
      </p>
      <PasswordInput
        mt={14}
        label="Your password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
