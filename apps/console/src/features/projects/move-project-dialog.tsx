import type { OrganizationResponse, ProjectResponse } from '@rowhouse/contracts';
import { Button, NativeSelect } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useMoveProject } from '../../data/projects/mutations.js';
import { DialogActions } from '../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { showToast } from '../../ui/notices/toasts.js';

interface MoveProjectDialogProps {
  readonly project: ProjectResponse;
  /** The organizations that the project can move to. */
  readonly organizations: readonly OrganizationResponse[];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Moves a project to another organization of the same owner. */
export function MoveProjectDialog(props: MoveProjectDialogProps) {
  return (
    <DialogFrame opened={props.opened} onClose={props.onClose} title={`Move ${props.project.name}`}>
      <MoveForm {...props} />
    </DialogFrame>
  );
}

function MoveForm({ project, organizations, onClose }: MoveProjectDialogProps) {
  const move = useMoveProject(project.id);
  const [chosen, setChosen] = useState(organizations[0]?.id ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    move.mutate(chosen, {
      onSuccess: () => {
        showToast({
          text: `${project.name} was moved to ${organizations.find((organization) => organization.id === chosen)?.name ?? 'another organization'}.`,
        });
        onClose();
      },
    });
  };
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 14 }}>
      <div>
        Members of the new organization get access, and those of the old one lose it. Keys and connection
        strings keep working.
      </div>
      <NativeSelect
        label="Organization"
        data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data-autofocus
      />
      {move.isError ? <ErrorNotice title="Couldn’t move the project" error={move.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={move.isPending}>
          Move project
        </Button>
      </DialogActions>
    </form>
  );
}
