import type { DatabaseResponse, MigrationPlan } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hasEnded, migrationQuery } from '../../../data/migrations/queries.js';
import { diffQuery } from '../../../data/schema/queries.js';
import { QueryErrorNotice } from '../../../ui/notices/error-notice.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';
import { HouseGlyph } from '../../../ui/theme/house-glyph.js';
import { ButtonLink } from '../../../ui/layout/links.js';
import { Panel } from '../../../ui/layout/panel.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import { Tag } from '../../../ui/layout/tag.js';
import { MigrationLive } from '../../migrations/migration-live.js';
import { DeployPlan, type DeployTargetProps } from './deploy-plan.js';
import { PublishedLinks } from './published-links.js';
import classes from '../schema.module.css';
import { summarizePlan } from './summarize-plan.js';

/** Compares a database with the draft. It shows the pending changes and the progress of their deploy. */
export function DeployTarget(props: DeployTargetProps) {
  const { projectId, database } = props;
  const diff = useQuery(diffQuery(projectId, database));
  const [migrationId, setMigrationId] = useState<string | null>(null);
  // The server's plan, and the hash of the loaded plan that it replaces.
  const [newPlan, setNewPlan] = useState<{ readonly of: string; readonly plan: MigrationPlan } | null>(null);
  const loaded =
    diff.data?.plans.find((candidate) => candidate.database === database.id) ?? diff.data?.plans[0];
  const isReplaced = newPlan !== null && newPlan.of === loaded?.hash;
  const plan = isReplaced ? newPlan.plan : loaded;
  const count = plan?.steps.length ?? 0;
  const progress = useProgress(migrationId, plan);
  const showsPlan = plan !== undefined && count > 0 && progress !== 'running';
  const location = { projectId, environment: database.environment };
  const isPending = diff.isPending && database.state === 'ready';
  return (
    <Panel
      label={`Plan for ${database.environment}`}
      title={
        <span className={classes.targetTitle}>
          <HouseGlyph environment={database.environment} /> {database.environment}
        </span>
      }
      note={`Live: version ${database.snapshot_number}.${count === 0 ? '' : ` Pending: ${summarizePlan(plan)}.`}`}
      actions={<TargetState isPending={isPending} state={database.state} count={plan ? count : null} />}
    >
      {isPending ? <SkeletonRows rows={2} /> : null}
      <QueryErrorNotice title="Couldn’t create the plan" query={diff} />
      {migrationId === null || (showsPlan && progress === 'published') ? null : (
        <MigrationLive projectId={projectId} migrationId={migrationId} canAct={props.canEdit}>
          {(published) => <PublishedLinks location={location} migration={published} />}
        </MigrationLive>
      )}
      {showsPlan ? (
        <DeployPlan
          key={plan.hash}
          {...props}
          plan={plan}
          revision={diff.data?.revision ?? props.schema.revision}
          onDeployed={setMigrationId}
          isReplaced={isReplaced}
          onStale={(changed) => {
            if (changed !== null) setNewPlan({ of: loaded?.hash ?? '', plan: changed });
            void diff.refetch();
          }}
        />
      ) : null}
      {diff.data && count === 0 && migrationId === null ? (
        <div className={classes.links}>
          <p className={classes.done}>{database.environment} is up to date.</p>
          <ButtonLink
            size="compact-sm"
            variant="subtle"
            to="/projects/$projectId/$environment/api"
            params={location}
          >
            Open API reference
          </ButtonLink>
        </div>
      ) : null}
    </Panel>
  );
}

/**
 * Returns the progress of the deploy that was started on this page. The deploy counts as running until the
 * page has loaded a plan that is based on its result.
 */
function useProgress(
  migrationId: string | null,
  plan: MigrationPlan | undefined,
): 'none' | 'running' | 'published' | 'stopped' {
  const { data: migration } = useQuery({
    ...migrationQuery(migrationId ?? ''),
    enabled: migrationId !== null,
  });
  if (migrationId === null) return 'none';
  if (!migration || !hasEnded(migration.state)) return 'running';
  if (migration.state !== 'published') return 'stopped';
  return plan !== undefined && plan.baseSnapshot < (migration.published_snapshot ?? 0)
    ? 'running'
    : 'published';
}

function TargetState({
  isPending,
  state,
  count,
}: {
  isPending: boolean;
  state: DatabaseResponse['state'];
  count: number | null;
}) {
  if (state !== 'ready')
    return (
      <Tag dot tone={state === 'failed' ? 'brick' : 'ochre'}>
        {state}
      </Tag>
    );
  if (isPending || count === null) return null;
  return count === 0 ? (
    <Tag dot tone="pine">
      up to date
    </Tag>
  ) : (
    <Tag dot tone="ochre">
      {formatCountOf(count, 'change')}
    </Tag>
  );
}
