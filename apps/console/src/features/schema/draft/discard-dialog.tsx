import type { ProjectResponse } from '@rowhouse/contracts';
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sortDatabases } from '../../../data/projects/queries.js';
import { useRestoreSchema } from '../../../data/schema/mutations.js';
import { diffQuery, type WorkingSchema } from '../../../data/schema/queries.js';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import classes from '../schema.module.css';

interface DiscardDialogProps {
  readonly project: ProjectResponse;
  readonly schema: WorkingSchema;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/**
 * Resets the draft to the live schema of a database. The reset is a new revision, so the history stays
 * complete.
 */
export function DiscardDialog(props: DiscardDialogProps) {
  return (
    <DialogFrame opened={props.opened} onClose={props.onClose} title="Discard the draft">
      <DiscardForm {...props} />
    </DialogFrame>
  );
}

function DiscardForm({ project, schema, onClose }: DiscardDialogProps) {
  const databases = sortDatabases(project.databases).filter((database) => database.state === 'ready');
  const [chosen, setChosen] = useState(databases[0]?.id ?? '');
  const database = databases.find((candidate) => candidate.id === chosen);
  const diff = useQuery({
    ...diffQuery(project.id, database ?? { id: '', state: 'pending' }),
    enabled: database !== undefined,
  });
  const restore = useRestoreSchema(project.id);
  const steps = diff.data?.plans[0]?.steps ?? [];
  return (
    <div className={classes.form}>
      <NativeSelect
        label="Reset the draft to"
        data={databases.map((entry) => ({ value: entry.id, label: entry.environment }))}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data-autofocus
      />
      {diff.isLoading ? <SkeletonRows rows={2} height={18} /> : null}
      {steps.length > 0 ? (
        <div>
          <p className={classes.done}>
            These changes are removed from the draft. You can restore them from the history.
          </p>
          <ul className={classes.dropped} aria-label="Discarded changes">
            {steps.map((step, index) => (
              <li key={index}>
                <code>{shorten(step.sql)}</code>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {diff.data && steps.length === 0 ? (
        <p className={classes.done}>The draft already matches {database?.environment}.</p>
      ) : null}
      {restore.isError ? <ErrorNotice title="Couldn’t discard the draft" error={restore.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Keep draft
        </Button>
        <Button
          color="brick"
          loading={restore.isPending}
          disabled={steps.length === 0}
          onClick={() =>
            restore.mutate({ database: chosen, base_revision: schema.revision }, { onSuccess: onClose })
          }
        >
          Discard changes
        </Button>
      </DialogActions>
    </div>
  );
}

function shorten(sql: string): string {
  const line = sql.replaceAll(/\s+/g, ' ');
  return line.length > 140 ? `${line.slice(0, 139)}…` : line;
}
