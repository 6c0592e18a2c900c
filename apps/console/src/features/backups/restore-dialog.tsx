import type {
  DatabaseResponse,
  LoadResponse,
  ProjectResponse,
  TransferFileResponse,
} from '@rowhouse/contracts';
import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { useCancelLoad, useRestoreBackup } from '../../data/backups/mutations.js';
import { hasEnded, loadQuery } from '../../data/backups/queries.js';
import { ApiError } from '../../data/client/api-error.js';
import { ENVIRONMENT_NAME_RULE, isEnvironmentName } from '../../data/databases/mutations.js';
import { projectKeys } from '../../data/projects/queries.js';
import { Dialog } from '../../ui/dialogs/lazy-dialog.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { formatCount, formatCountOf } from '../../ui/formatting/format-number.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { Tag } from '../../ui/layout/tag.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import classes from './backups.module.css';

interface RestoreDialogProps {
  readonly project: ProjectResponse;
  readonly database: DatabaseResponse;
  /** The backup to restore. Null when the dialog is closed. */
  readonly file: TransferFileResponse | null;
  readonly onClose: () => void;
}

/** Restores a backup into a new database. Existing databases are not changed. */
export function RestoreDialog({ file, onClose, ...props }: RestoreDialogProps) {
  return (
    <Dialog opened={file !== null} onClose={onClose} title="Restore into a new database">
      {file === null ? null : <RestoreForm key={file.id} {...props} file={file} onClose={onClose} />}
    </Dialog>
  );
}

function RestoreForm({
  project,
  database,
  file,
  onClose,
}: RestoreDialogProps & { readonly file: TransferFileResponse }) {
  const restore = useRestoreBackup(database);
  const [name, setName] = useState('');
  const isTaken = project.databases.some((candidate) => candidate.environment === name);
  const fault =
    name === ''
      ? null
      : isTaken
        ? `There’s already a database called ${name}. Choose another name.`
        : isEnvironmentName(name)
          ? null
          : ENVIRONMENT_NAME_RULE;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name !== '' && fault === null && !restore.isPending)
      restore.mutate({ file: file.id, environment: name });
  };
  if (restore.data)
    return (
      <RestoreProgress
        project={project}
        environment={restore.data.database.environment}
        load={restore.data.load}
        onClose={onClose}
      />
    );
  return (
    <form className={classes.form} onSubmit={submit}>
      <p>
        Creates a new database from the backup of <TimeText iso={file.created_at} /> (
        {formatCountOf(file.tables.length, 'table')}, {formatCountOf(file.rows, 'row')}). Existing databases
        aren’t changed.
      </p>
      <TextInput
        label="New database name"
        placeholder="rescue"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fault}
        autoComplete="off"
        spellCheck={false}
        required
        data-autofocus
      />
      {restore.isError ? <ErrorNotice title="Couldn’t start the restore" error={restore.error} /> : null}
      <div className={classes.foot}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={name === '' || fault !== null} loading={restore.isPending}>
          Restore{name === '' || fault !== null ? '' : ` into ${name}`}
        </Button>
      </div>
    </form>
  );
}

const WORDS: Readonly<Record<LoadResponse['state'], string>> = {
  queued: 'Waiting',
  running: 'Importing rows',
  verifying: 'Verifying rows',
  done: 'ready',
  failed: 'failed',
  cancelled: 'cancelled',
};

function RestoreProgress({
  project,
  environment,
  load: started,
  onClose,
}: {
  project: ProjectResponse;
  environment: string;
  load: LoadResponse;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const { data: load = started } = useQuery(loadQuery(started.database, started.id));
  const cancel = useCancelLoad();
  const isFinished = hasEnded(load);
  useEffect(() => {
    if (isFinished) void queryClient.invalidateQueries({ queryKey: projectKeys.one(project.id) });
  }, [isFinished, queryClient, project.id]);
  const share =
    load.state === 'done'
      ? 100
      : load.rows_total === 0
        ? 0
        : Math.min(100, Math.round((load.rows_done / load.rows_total) * 100));
  return (
    <div className={classes.form}>
      <p role="status" aria-label="Restore">
        <strong>{environment}</strong>{' '}
        <Tag dot tone={load.state === 'done' ? 'pine' : load.state === 'failed' ? 'brick' : 'ochre'}>
          {WORDS[load.state]}
        </Tag>
      </p>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label="Rows imported"
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ width: `${share}%` }} />
      </div>
      <p className="rh-dim">
        {formatCount(load.rows_done)} of {formatCount(load.rows_total)} rows. The new database becomes
        available once all rows are imported and verified.
      </p>
      {load.error === null ? null : (
        <ErrorNotice title="Restore failed" error={new ApiError(409, load.error)} />
      )}
      <LoadNotes notes={load.notes} />
      {cancel.isError ? <ErrorNotice title="Couldn’t cancel" error={cancel.error} /> : null}
      <div className={classes.foot}>
        {isFinished ? null : (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(load)}>
            Cancel restore
          </Button>
        )}
        {load.state === 'done' ? (
          <ButtonLink
            variant="default"
            to="/projects/$projectId/$environment/data"
            params={{ projectId: project.id, environment }}
          >
            Open data
          </ButtonLink>
        ) : null}
        <Button onClick={onClose}>{isFinished ? 'Done' : 'Continue in background'}</Button>
      </div>
    </div>
  );
}

/** Lists what the load or restore of a file changed or left out. Shows nothing if the list is empty. */
export function LoadNotes({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <div className={classes.notes} role="note" aria-label="Notes">
      <strong>Check these</strong>
      <ul>
        {[...new Set(notes)].map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}
