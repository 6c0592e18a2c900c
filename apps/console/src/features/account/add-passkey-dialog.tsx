import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useAddPasskey } from '../../data/account/passkeys.js';
import { NameField } from '../../ui/controls/name-field.js';
import { DialogActions } from '../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../ui/dialogs/dialog-frame.js';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { showToast } from '../../ui/notices/toasts.js';
import { CodeField, PasswordField } from './proof-fields.js';
import classes from './account.module.css';

interface AddPasskeyDialogProps {
  readonly opened: boolean;
  readonly email: string;
  readonly hasTwoFactor: boolean;
  readonly onClose: () => void;
}

/** Adds a passkey. A passkey signs in alone, so the dialog asks for everything that a sign-in needs. */
export function AddPasskeyDialog({ opened, onClose, ...form }: AddPasskeyDialogProps) {
  return (
    <DialogFrame opened={opened} onClose={onClose} title="Add a passkey">
      <AddPasskeyForm {...form} onClose={onClose} />
    </DialogFrame>
  );
}

function AddPasskeyForm({ email, hasTwoFactor, onClose }: Omit<AddPasskeyDialogProps, 'opened'>) {
  const add = useAddPasskey();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const close = resetAndClose(add, onClose);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate(
      { name: name.trim(), password, ...(hasTwoFactor ? { code: code.trim() } : {}) },
      {
        onSuccess: (created) => {
          close();
          showToast({ text: `${created.name} added.` });
        },
      },
    );
  };
  const isComplete = name.trim() !== '' && password !== '' && (!hasTwoFactor || code.trim().length >= 6);
  return (
    <form onSubmit={submit} className={classes.form}>
      <NameField placeholder="My laptop" value={name} onChange={setName} />
      <PasswordField email={email} value={password} onChange={setPassword} />
      {hasTwoFactor ? (
        <CodeField
          value={code}
          onChange={setCode}
          description="From your authenticator app, or a recovery code."
        />
      ) : null}
      {add.isError ? <ErrorNotice title="Couldn’t add the passkey" error={add.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" loading={add.isPending} disabled={!isComplete}>
          Continue
        </Button>
      </DialogActions>
    </form>
  );
}
