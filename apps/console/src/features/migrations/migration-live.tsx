import type { MigrationResponse } from '@rowhouse/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { hasEnded, migrationQuery, migrationKeys } from '../../data/migrations/queries.js';
import { useMigrationEvents } from '../../data/migrations/use-migration-events.js';
import { projectKeys } from '../../data/projects/queries.js';
import { schemaKeys } from '../../data/schema/queries.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { CancelButton } from './migration-actions.js';
import { describeState, listStages, describeProgress } from './describe-state.js';
import classes from './migrations.module.css';
import { ApiError } from '../../data/client/api-error.js';

interface MigrationLiveProps {
  readonly projectId: string;
  readonly migrationId: string;
  /** Whether the caller may cancel the migration. */
  readonly canAct?: boolean;
  /** Content that is shown once the migration is published. */
  readonly children?: (migration: MigrationResponse) => ReactNode;
}

/** Shows one migration and its progress until it ends. */
export function MigrationLive({ projectId, migrationId, canAct = false, children }: MigrationLiveProps) {
  const migration = useQuery(migrationQuery(migrationId));
  const queryClient = useQueryClient();
  const ended = migration.data !== undefined && hasEnded(migration.data.state);
  useMigrationEvents(migrationId, !ended);
  useEffect(() => {
    if (!ended) return;
    void queryClient.invalidateQueries({ queryKey: projectKeys.one(projectId) });
    void queryClient.invalidateQueries({ queryKey: schemaKeys.all(projectId) });
    void queryClient.invalidateQueries({ queryKey: migrationKeys.of(projectId) });
    void queryClient.invalidateQueries({ queryKey: ['migrations', 'queue'] });
    void queryClient.invalidateQueries({ queryKey: ['migrations', 'kept'] });
  }, [ended, projectId, queryClient]);
  if (migration.isError && !migration.data)
    return (
      <ErrorNotice
        title="Couldn’t load the migration"
        error={migration.error}
        onRetry={() => void migration.refetch()}
      />
    );
  if (!migration.data) return <SkeletonRows rows={1} height={48} />;
  const stateText = describeState(migration.data.state);
  return (
    <div className={classes.live}>
      <ol className={classes.stages} aria-label="Stages">
        {listStages(migration.data.state).map((stage, index) => (
          <li key={index} data-kind={stage.kind} aria-current={stage.kind === 'now' ? 'step' : undefined}>
            {stage.label}
          </li>
        ))}
      </ol>
      {ended ? null : <CopyProgress migration={migration.data} />}
      <div className={classes.line}>
        <p
          className={classes.says}
          role="status"
          aria-label={`Migration state of ${migration.data.environment}`}
        >
          <strong>{stateText.label}</strong> {stateText.text}
        </p>
        {canAct && !ended ? <CancelButton migration={migration.data} /> : null}
      </div>
      {migration.data.error ? <MigrationFailure migration={migration.data} /> : null}
      {migration.data.state === 'published' ? children?.(migration.data) : null}
    </div>
  );
}

/** Shows the progress of a long copy. Short changes report no progress, so nothing is shown for them. */
function CopyProgress({ migration }: { migration: MigrationResponse }) {
  const progress = describeProgress(migration);
  if (progress === null) return null;
  return (
    <div className={classes.progress}>
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Rows copied"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(progress.share * 100)}
        aria-valuetext={progress.text}
      >
        <div className={classes.done} style={{ width: `${progress.share * 100}%` }} />
      </div>
      <span className="rh-dim">{progress.text}</span>
    </div>
  );
}

/** Shows why a migration stopped, in the same format as other errors. */
function MigrationFailure({ migration }: { migration: MigrationResponse }) {
  return <ErrorNotice title={'Deploy failed'} error={new ApiError(409, migration.error)} />;
}
