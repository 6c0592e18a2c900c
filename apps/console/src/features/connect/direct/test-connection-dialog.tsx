import type { ConnectionResponse } from '@rowhouse/contracts';
import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { testConnection } from '../../../data/connections/mutations.js';
import { Dialog } from '../../../ui/dialogs/lazy-dialog.js';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { TestFound } from './connection-test.js';
import classes from '../connect.module.css';
import { describeSignIn } from './describe-test.js';

/**
 * Tests a password that the user enters, because the platform does not store it. `connection` is null while
 * the dialog is closed.
 */
export function TestConnectionDialog({
  connection,
  onClose,
}: {
  connection: ConnectionResponse | null;
  onClose: () => void;
}) {
  return (
    <Dialog opened={connection !== null} onClose={onClose} title={`Test ${connection?.name ?? 'connection'}`}>
      {connection === null ? null : <TestForm connection={connection} onClose={onClose} />}
    </Dialog>
  );
}

function TestForm({ connection, onClose }: { connection: ConnectionResponse; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const password = readPassword(typed);
  const test = useMutation({
    mutationFn: async (provided: string) =>
      describeSignIn(await testConnection(connection.id, provided), connection),
  });
  const type = (text: string): void => {
    setTyped(text);
    test.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password !== null) test.mutate(password);
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <PasswordInput
        label="Password or connection string"
        description={`For ${connection.user}. Used for this test only and never stored.`}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      {test.isError ? <ErrorNotice title="Couldn’t test the connection" error={test.error} /> : null}
      <TestFound found={test.isPending ? undefined : test.data} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" loading={test.isPending} disabled={password === null}>
          Test the connection
        </Button>
      </DialogActions>
    </form>
  );
}

/**
 * Returns the typed password, or the one in a pasted connection string. Returns null if that string has no
 * password.
 */
export function readPassword(text: string): string | null {
  const provided = text.trim();
  if (!provided.startsWith('mysql://')) return provided === '' ? null : provided;
  if (!URL.canParse(provided)) return null;
  const { password } = new URL(provided);
  try {
    return password === '' ? null : decodeURIComponent(password);
  } catch {
    return null;
  }
}
