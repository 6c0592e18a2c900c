import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import {
  useCreateDatabase,
  useDeleteDatabase,
  ENVIRONMENT_NAME,
  ENVIRONMENT_NAME_RULE,
} from '../../data/databases/mutations.js';
import { describeEngineOf } from '../../data/engines/queries.js';
import { sortDatabases } from '../../data/projects/queries.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { HouseGlyph } from '../../ui/theme/house-glyph.js';
import { Panel } from '../../ui/layout/panel.js';
import { Tag } from '../../ui/layout/tag.js';
import { showToast } from '../../ui/notices/toasts.js';
import { EngineSelect, type Engine } from '../projects/engine-select.js';
import classes from './settings.module.css';

interface EnvironmentsPanelProps {
  readonly project: ProjectResponse;
  readonly mayCreate: boolean;
  readonly mayDelete: boolean;
  /** Called after a database was deleted, so that the caller can leave its pages. */
  readonly onDeleted: (database: DatabaseResponse) => void;
}

/** Lists the databases of a project, and creates or deletes one. */
export function EnvironmentsPanel({ project, mayCreate, mayDelete, onDeleted }: EnvironmentsPanelProps) {
  const [leaving, setLeaving] = useState<DatabaseResponse | null>(null);
  return (
    <Panel
      title="Environments"
      note="Each environment has its own database, keys and URL. They all share one schema draft."
    >
      <ul className={classes.houses} aria-label="Environments of the project">
        {sortDatabases(project.databases).map((database) => (
          <li key={database.id}>
            <HouseGlyph environment={database.environment} />
            <Link
              to="/projects/$projectId/$environment"
              params={{ projectId: project.id, environment: database.environment }}
            >
              {database.environment}
            </Link>
            <EngineTag database={database} databases={project.databases} />
            {database.state === 'ready' ? null : (
              <Tag dot tone={database.state === 'failed' ? 'brick' : 'ochre'}>
                {database.state}
              </Tag>
            )}
            {mayDelete ? (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Delete ${database.environment}`}
                onClick={() => setLeaving(database)}
              >
                Delete
              </Button>
            ) : (
              <span />
            )}
          </li>
        ))}
      </ul>
      {mayCreate ? <NewEnvironment project={project} /> : null}
      {leaving === null ? null : (
        <DeleteEnvironment database={leaving} onClose={() => setLeaving(null)} onDeleted={onDeleted} />
      )}
    </Panel>
  );
}

/** Shows a database's engine, if the databases of the project run on more than one. */
function EngineTag({
  database,
  databases,
}: {
  database: DatabaseResponse;
  databases: readonly DatabaseResponse[];
}) {
  const text = describeEngineOf(database);
  return text === null || databases.every(({ engine }) => engine === database.engine) ? null : (
    <Tag>{text}</Tag>
  );
}

function NewEnvironment({ project }: { project: ProjectResponse }) {
  const create = useCreateDatabase(project.id);
  const [name, setName] = useState('');
  const [engine, setEngine] = useState<Engine>();
  const usual = project.databases.find((database) => database.engine !== null)?.engine ?? undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(
      { environment: name.trim(), ...(engine === undefined ? {} : { engine }) },
      {
        onSuccess: ({ environment }) => {
          setName('');
          setEngine(undefined);
          showToast({ text: `${environment} created. Deploy the draft to use its API.` });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className={classes.add}>
      <TextInput
        size="xs"
        label="New environment"
        placeholder="staging"
        pattern={ENVIRONMENT_NAME}
        title={ENVIRONMENT_NAME_RULE}
        maxLength={31}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        autoComplete="off"
        spellCheck={false}
      />
      <EngineSelect
        size="xs"
        organizationId={project.organization_id}
        value={engine}
        onChange={setEngine}
        usual={usual}
      />
      <Button
        size="xs"
        variant="default"
        type="submit"
        loading={create.isPending}
        disabled={name.trim() === ''}
      >
        Create environment
      </Button>
      {create.isError ? <ErrorNotice title="Couldn’t create the environment" error={create.error} /> : null}
    </form>
  );
}

function DeleteEnvironment({
  database,
  onClose,
  onDeleted,
}: {
  database: DatabaseResponse;
  onClose: () => void;
  onDeleted: (database: DatabaseResponse) => void;
}) {
  const remove = useDeleteDatabase(database);
  const confirm = (): void =>
    remove.mutate(database.environment, {
      onSuccess: () => {
        onClose();
        onDeleted(database);
        showToast({ text: `${database.environment} deleted.` });
      },
    });
  return (
    <ConfirmDialog
      opened
      title={`Delete ${database.environment}?`}
      actionLabel="Delete environment"
      typedWord={database.environment}
      isPending={remove.isPending}
      error={remove.error}
      errorTitle="Couldn’t delete the environment"
      onClose={onClose}
      onConfirm={confirm}
    >
      Deletes its data, keys and connection strings. This can’t be undone here. Back up first if you need any
      of it.
    </ConfirmDialog>
  );
}
