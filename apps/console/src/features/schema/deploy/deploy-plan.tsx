import type { DatabaseResponse, DeployResponse, MigrationPlan, PutSchemaRequest } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { isRecord, toApiError } from '../../../data/client/api-error.js';
import { useDeploy, usePromote, useSaveSchema } from '../../../data/schema/mutations.js';
import type { WorkingSchema } from '../../../data/schema/queries.js';
import { ConfirmDialog } from '../../../ui/dialogs/lazy-dialog.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { PlanSteps } from './plan-steps.js';
import classes from '../schema.module.css';
import { ConfirmLossField } from './confirm-loss-field.js';
import { confirmShown, promoteShown, readNewPlan } from './shown-plan.js';

export interface DeployTargetProps {
  readonly projectId: string;
  readonly database: DatabaseResponse;
  readonly schema: WorkingSchema;
  readonly canEdit: boolean;
  /**
   * The database on which the draft is already deployed, if there is one. The draft is then promoted from
   * there to this database.
   */
  readonly promotesFrom: DatabaseResponse | null;
  /** Whether the draft must be deployed to development first. */
  readonly waitsForDevelopment: boolean;
}

/** The codes of errors that a new plan may resolve. */
const STALE_CODES: readonly string[] = ['schema.stale_base', 'schema.needs_confirmation', 'schema.busy'];

interface DeployPlanProps extends DeployTargetProps {
  readonly plan: MigrationPlan;
  readonly revision: number;
  readonly onDeployed: (migrationId: string) => void;
  /**
   * Called when the server's plan differs from the one that is shown. `newPlan` is null if the plan must be
   * loaded again.
   */
  readonly onStale: (newPlan: MigrationPlan | null) => void;
  /** Whether the plan replaces an earlier one that the user has tried to run. */
  readonly isReplaced: boolean;
}

/**
 * Shows a plan and the button that runs exactly this plan. If data will be lost, the user must type the name
 * of the environment.
 */
export function DeployPlan(props: DeployPlanProps) {
  const { projectId, database, plan, revision, canEdit, promotesFrom, waitsForDevelopment, schema } = props;
  const deploy = useDeploy(projectId);
  const promote = usePromote(projectId);
  const [typed, setTyped] = useState('');
  const [isAsking, setAsking] = useState(false);
  const loses = plan.loss.length > 0;
  const isOpen = plan.needsRebuild.length === 0 && (!loses || typed === database.environment);
  const onSuccess = (response: DeployResponse): void => {
    const migration =
      response.migrations.find((candidate) => candidate.database === database.id) ?? response.migrations[0];
    if (migration) props.onDeployed(migration.id);
  };
  const onError = (rejection: unknown): void => {
    const newPlan = readNewPlan(rejection, plan);
    if (newPlan !== null) props.onStale(newPlan);
  };
  const run = (): void =>
    deploy.mutate(
      {
        targets: [{ database: database.id, base_snapshot: plan.baseSnapshot }],
        revision,
        ...confirmShown(plan),
      },
      { onSuccess, onError },
    );
  const runPromotion = (from: DatabaseResponse, isConfirmed: boolean): void =>
    promote.mutate(promoteShown(from.id, plan, isConfirmed), { onSuccess, onError });
  const difference = readDifference(promote.error);
  const start = (): void => {
    setAsking(false);
    if (promotesFrom === null) run();
    else runPromotion(promotesFrom, difference !== null);
  };
  // Data loss is confirmed by the typed name. Any other change of production is confirmed in a dialog.
  const request = (): void =>
    (promotesFrom !== null || database.environment === 'production') && !loses ? setAsking(true) : start();
  const error = deploy.error ?? (difference === null ? promote.error : null);
  return (
    <>
      {props.isReplaced ? (
        <div className={classes.warning} role="alert">
          <strong>The plan has changed</strong>
          <p>Review the new plan below before you run it.</p>
        </div>
      ) : null}
      <PlanSteps plan={plan} />
      {canEdit ? (
        <PossibleRenames projectId={projectId} plan={plan} revision={schema.revision} sql={schema.sql} />
      ) : null}
      {error === null ? null : (
        <ErrorNotice
          title={`Couldn’t deploy to ${database.environment}`}
          error={error}
          onRetry={STALE_CODES.includes(toApiError(error).code) ? () => props.onStale(null) : undefined}
        />
      )}
      {difference === null || promotesFrom === null ? null : (
        <Difference from={promotesFrom.environment} to={database.environment} {...difference} />
      )}
      {canEdit ? (
        <div className={classes.deploy}>
          {loses ? (
            <ConfirmLossField environment={database.environment} value={typed} onChange={setTyped} />
          ) : null}
          {promotesFrom === null ? (
            <Button
              color={loses ? 'brick' : 'pine'}
              variant={waitsForDevelopment ? 'default' : 'filled'}
              onClick={request}
              loading={deploy.isPending}
              disabled={!isOpen}
            >
              Deploy to {database.environment}
            </Button>
          ) : (
            <Button
              color={loses || difference !== null ? 'brick' : 'pine'}
              onClick={request}
              loading={promote.isPending}
              disabled={!isOpen}
            >
              {difference === null ? `Promote to ${database.environment}` : `Promote with this plan`}
            </Button>
          )}
          {waitsForDevelopment ? (
            <span className={classes.done}>Deploy to development first, then promote.</span>
          ) : null}
        </div>
      ) : (
        <p className={classes.done}>Only developers can deploy.</p>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={`Change ${database.environment}?`}
        actionLabel={`Deploy ${formatCountOf(plan.steps.length, 'change')} to ${database.environment}`}
        isPending={deploy.isPending || promote.isPending}
        error={null}
        errorTitle=""
        onClose={() => setAsking(false)}
        onConfirm={start}
      >
        <div className={classes.column}>
          <PlanSteps plan={plan} />
        </div>
      </ConfirmDialog>
    </>
  );
}

/**
 * If a drop and an addition are of the same kind, offers to replace them with a rename, which keeps the data.
 */
function PossibleRenames({
  projectId,
  plan,
  revision,
  sql,
}: {
  projectId: string;
  plan: MigrationPlan;
  revision: number;
  sql: string;
}) {
  const save = useSaveSchema(projectId);
  if (plan.possibleRenames.length === 0) return null;
  const mark = (hint: MigrationPlan['possibleRenames'][number]): void =>
    save.mutate({
      sql,
      mode: 'replace',
      base_revision: revision,
      renames: [hint] as PutSchemaRequest['renames'],
    });
  return (
    <div className={classes.warning} role="note" aria-label="Possible renames">
      <strong>Is this a rename?</strong>
      <ul>
        {plan.possibleRenames.map((hint) => (
          <li key={JSON.stringify(hint)}>
            <code>{hint.kind === 'table' ? hint.from : `${hint.table}.${hint.from}`}</code> is dropped and{' '}
            <code>{hint.to}</code> is added with the same definition.{' '}
            <button
              type="button"
              className={classes.textButton}
              disabled={save.isPending}
              onClick={() => mark(hint)}
            >
              Rename and keep data
            </button>
          </li>
        ))}
      </ul>
      {save.isError ? <ErrorNotice title="Couldn’t save the draft" error={save.error} /> : null}
    </div>
  );
}

interface PlanDifference {
  readonly onlyThere: readonly string[];
  readonly onlyHere: readonly string[];
}

/**
 * Returns how the plan that was rejected differs from the one that ran on the other database. Returns null
 * for any other error.
 */
function readDifference(error: unknown): PlanDifference | null {
  if (error === null) return null;
  const { code, extra } = toApiError(error);
  if (code !== 'schema.needs_confirmation' || !isRecord(extra) || !Array.isArray(extra['only_here']))
    return null;
  return {
    onlyHere: extra['only_here'].map(String),
    onlyThere: Array.isArray(extra['only_there']) ? extra['only_there'].map(String) : [],
  };
}

function Difference({ from, to, onlyThere, onlyHere }: PlanDifference & { from: string; to: string }) {
  return (
    <div className={classes.warning} role="alert">
      <strong>
        The plan for {to} differs from what ran on {from}
      </strong>
      <StatementList title={`Only in the plan for ${to}:`} statements={onlyHere} />
      <StatementList title={`Only ran on ${from}:`} statements={onlyThere} />
      <p>Review the steps above. Promoting runs exactly these steps.</p>
    </div>
  );
}

/** Lists statements under a title. Shows nothing for an empty list. */
function StatementList({ title, statements }: { title: string; statements: readonly string[] }) {
  if (statements.length === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul>
        {statements.map((sql) => (
          <li key={sql}>
            <code>{sql}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
