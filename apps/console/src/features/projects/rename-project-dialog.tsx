import type { ProjectAnswer } from '@rowhouse/contracts';
import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useRenameProject } from '../../data/projects/mutations.js';
import { Dialog } from '../../ui/dialog.js';
import { DialogActions } from '../../ui/dialog-actions.js';
import { ErrorNotice } from '../../ui/error-notice.js';

export function RenameProjectDialog({ project, onClose }: { project: ProjectAnswer | null; onClose: () => void }) {
  return (
    <Dialog opened={project !== null} onClose={onClose} title="Rename project">
      {project === null ? null : <RenameForm project={project} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({ project, onClose }: { project: ProjectAnswer; onClose: () => void }) {
  const rename = useRenameProject(project.id);
  const [name, setName] = useState(project.name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate(name.trim(), { onSuccess: onClose });
  };
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 14 }}>
      <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} maxLength={100} required data-autofocus autoComplete="off" />
      {rename.isError ? <ErrorNotice title="The project could not be renamed" error={rename.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>Cancel</Button>
        <Button type="submit" loading={rename.isPending} disabled={name.trim() === ''}>Rename</Button>
      </DialogActions>
    </form>
  );
}
