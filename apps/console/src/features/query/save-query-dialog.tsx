import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useSaveQuery } from '../../data/query-runs/mutations.js';
import { DialogActions } from '../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import classes from './query.module.css';

interface SaveQueryDialogProps {
  readonly opened: boolean;
  readonly database: DatabaseResponse;
  readonly text: string;
  readonly kind: 'sql' | 'question';
  readonly onSaved: (saved: { id: string; name: string }) => void;
  readonly onClose: () => void;
}

/** Saves a query under a name, so that all members of the project see it. */
export function SaveQueryDialog({ opened, onClose, ...props }: SaveQueryDialogProps) {
  return (
    <DialogFrame opened={opened} onClose={onClose} title="Save query" size="sm">
      <SaveForm {...props} onClose={onClose} />
    </DialogFrame>
  );
}

function SaveForm({ database, text, kind, onSaved, onClose }: Omit<SaveQueryDialogProps, 'opened'>) {
  const save = useSaveQuery(database.id);
  const [name, setName] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '')
      save.mutate(
        { name: name.trim(), query: text, kind },
        {
          onSuccess: (created) => {
            onSaved({ id: created.id, name: created.name });
            onClose();
          },
        },
      );
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        label="Name"
        placeholder="Orders this month"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        required
        data-autofocus
        description="Visible to everyone in the project."
      />
      {save.isError ? <ErrorNotice title="Couldn’t save the query" error={save.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Save query
        </Button>
      </DialogActions>
    </form>
  );
}
