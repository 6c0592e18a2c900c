import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { Dialog } from './lazy-dialog.js';
import { DialogActions } from './dialog-actions.js';
import { ErrorNotice } from '../notices/error-notice.js';
import { NameField } from '../controls/name-field.js';

interface RenameDialogProps {
  /** The kind of object that is renamed: `project` or `organization`. */
  readonly subject: string;
  /** The current name. Null while the dialog is closed. */
  readonly name: string | null;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onRename: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for a new name. */
export function RenameDialog(props: RenameDialogProps) {
  return (
    <Dialog opened={props.name !== null} onClose={props.onClose} title={`Rename ${props.subject}`}>
      {props.name === null ? null : <RenameForm {...props} now={props.name} />}
    </Dialog>
  );
}

function RenameForm({
  subject,
  now,
  isPending,
  error,
  onRename,
  onClose,
}: RenameDialogProps & { readonly now: string }) {
  const [name, setName] = useState(now);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onRename(name.trim());
  };
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 14 }}>
      <NameField value={name} onChange={setName} />
      {error === null || error === undefined ? null : (
        <ErrorNotice title={`Couldn’t rename the ${subject}`} error={error} />
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
          Rename
        </Button>
      </DialogActions>
    </form>
  );
}
