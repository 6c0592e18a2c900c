import type { ProjectResponse } from '@rowhouse/contracts';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useCreateProject, type CreatedProject } from '../../data/projects/mutations.js';
import { sessionQuery } from '../../data/session/queries.js';
import { DialogActions } from '../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import type { SchemaView } from '../schema/schema-search.js';
import { BeginningField } from './beginning-field.js';
import { toStarter, type StarterInput } from './beginnings.js';
import { EngineSelect, type Engine } from './engine-select.js';
import { useBeginSchema } from './use-begin-schema.js';
import { NameField } from '../../ui/controls/name-field.js';

interface CreateProjectDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /**
   * Called when the project is created. `view` is the view of the schema page on which the first tables
   * remain to be created, or null if nothing remains to be done.
   */
  readonly onCreated: (project: ProjectResponse, view: SchemaView | null) => void;
}

export function CreateProjectDialog({ opened, onClose, onCreated }: CreateProjectDialogProps) {
  return (
    <DialogFrame opened={opened} onClose={onClose} title="New project">
      <CreateProjectForm onClose={onClose} onCreated={onCreated} />
    </DialogFrame>
  );
}

function CreateProjectForm({ onClose, onCreated }: Omit<CreateProjectDialogProps, 'opened'>) {
  const create = useCreateProject();
  const begin = useBeginSchema();
  const [name, setName] = useState('');
  const [input, setInput] = useState<StarterInput>({ kind: 'blog', text: '' });
  const [isBeginning, setBeginning] = useState(false);
  const organizations = (useQuery(sessionQuery).data?.organizations ?? []).filter(({ role }) =>
    isRoleAtLeast(role, 'developer'),
  );
  const [organization, setOrganization] = useState(organizations[0]?.id);
  const [engine, setEngine] = useState<Engine>();
  const finish = (project: CreatedProject): void => {
    setBeginning(true);
    void begin(project, input).then((view) => onCreated(project, view));
  };
  // The engine is reset, because the servers of another organization may offer other engines.
  const chooseOrganization = (id: string): void => {
    setOrganization(id);
    setEngine(undefined);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(
      {
        name: name.trim(),
        starter: toStarter(input.kind),
        organization_id: organization,
        ...(engine === undefined ? {} : { engine }),
      },
      { onSuccess: finish },
    );
  };
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 14 }}>
      <NameField value={name} onChange={setName} />
      {organizations.length > 1 ? (
        <NativeSelect
          label="Organization"
          data={organizations.map(({ id, name: label }) => ({ value: id, label }))}
          value={organization}
          onChange={(event) => chooseOrganization(event.currentTarget.value)}
        />
      ) : null}
      {organization === undefined ? null : (
        <EngineSelect key={organization} organizationId={organization} value={engine} onChange={setEngine} />
      )}
      <BeginningField input={input} onChange={setInput} />
      {create.isError ? <ErrorNotice title="Couldn’t create the project" error={create.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={create.isPending || isBeginning} disabled={name.trim() === ''}>
          Create project
        </Button>
      </DialogActions>
    </form>
  );
}
