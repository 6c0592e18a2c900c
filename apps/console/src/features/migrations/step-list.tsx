import type { MigrationResponse, MigrationStepResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { hasEnded, migrationStepsQuery } from '../../data/migrations/queries.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { describeDuration } from './describe-state.js';
import classes from './migrations.module.css';

const KINDS: Readonly<Record<string, string>> = {
  ddl: 'Statement',
  check_rows: 'Check existing rows',
  grant: 'Update permissions',
  prepare: 'Send the schema to gateways',
  acknowledge: 'Wait for every gateway',
  publish_pair: 'Serve both names',
  publish_target: 'Serve the new schema',
  publish: 'Publish',
};

const WORDS: Readonly<Record<string, string>> = {
  pending: 'Not run',
  running: 'running',
  done: 'done',
  undone: 'Reverted',
  failed: 'failed',
};

/** Lists the steps of a migration with their status and duration. */
export function StepList({ migration }: { migration: MigrationResponse }) {
  const steps = useQuery(migrationStepsQuery(migration.id, !hasEnded(migration.state)));
  if (steps.isPending) return <SkeletonRows rows={3} height={20} />;
  if (steps.isError)
    return (
      <ErrorNotice title="Couldn’t load the steps" error={steps.error} onRetry={() => void steps.refetch()} />
    );
  if (steps.data.length === 0) return <p className="rh-dim">Not started yet.</p>;
  return (
    <ol className={classes.steps} aria-label="Steps">
      {steps.data.map((step) => (
        <li key={step.ordinal}>
          <span className={classes.sign} data-state={step.state} aria-hidden="true" />
          <span>
            {describeStep(step)} <span className="rh-spoken">{WORDS[step.state] ?? step.state}</span>
            {step.statement === '' ? null : (
              <>
                <br />
                <code>{step.statement}</code>
              </>
            )}
          </span>
          <span className={classes.took}>
            {step.duration_ms === null
              ? (WORDS[step.state] ?? step.state)
              : describeDuration(step.duration_ms)}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Describes a step of a migration, such as `Statement on posts` or `Publish`. */
export function describeStep({ kind, table }: Pick<MigrationStepResponse, 'kind' | 'table'>): string {
  const verb = KINDS[kind] ?? kind.replaceAll('_', ' ');
  return table === '' ? verb : `${verb} on ${table}`;
}
