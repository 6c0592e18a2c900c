import type { DatabaseAnswer, MigrationPlan } from '@rowhouse/contracts';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toApiError } from '../../data/client/api-error.js';
import { hasEnded, migrationQuery } from '../../data/migrations/queries.js';
import { useDeploy } from '../../data/schema/mutations.js';
import { diffQuery } from '../../data/schema/queries.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { HouseGlyph } from '../../ui/house-glyph.js';
import { ButtonLink } from '../../ui/links.js';
import { Panel } from '../../ui/panel.js';
import { SkeletonRows } from '../../ui/skeleton-rows.js';
import { Tag } from '../../ui/tag.js';
import { MigrationLive } from '../migrations/migration-live.js';
import { PlanSteps } from './plan-steps.js';
import { PublishedLinks } from './published-links.js';
import classes from './schema.module.css';
import { summarizePlan } from './summarize-plan.js';

/** One database against the draft: what would change, the deploy, and how it goes. */
export function DeployTarget({ projectId, database, revision }: { projectId: string; database: DatabaseAnswer; revision: number }) {
  const diff = useQuery({ ...diffQuery(projectId, database.id), enabled: database.state === 'ready' });
  const [migrationId, setMigrationId] = useState<string | null>(null);
  const plan = diff.data?.plans.find((candidate) => candidate.database === database.id) ?? diff.data?.plans[0];
  const count = plan?.steps.length ?? 0;
  const progress = useProgress(migrationId, plan);
  const showsPlan = plan !== undefined && count > 0 && progress !== 'running';
  const place = { projectId, environment: database.environment };
  return (
    <Panel
      label={`Plan for ${database.environment}`}
      title={<span className={classes.targetTitle}><HouseGlyph environment={database.environment} /> {database.environment}</span>}
      note={`Snapshot ${database.snapshot_number}`}
      actions={<TargetState isPending={diff.isPending && database.state === 'ready'} state={database.state} count={plan ? count : null} summary={summarizePlan(plan)} />}
    >
      {diff.isPending && database.state === 'ready' ? <SkeletonRows rows={2} /> : null}
      {diff.isError ? <ErrorNotice title="The plan could not be made" error={diff.error} onRetry={() => void diff.refetch()} /> : null}
      {migrationId === null || (showsPlan && progress === 'published') ? null : (
        <MigrationLive projectId={projectId} migrationId={migrationId}>{(published) => <PublishedLinks place={place} migration={published} />}</MigrationLive>
      )}
      {showsPlan ? <DeployPlan key={plan.hash} projectId={projectId} database={database} plan={plan} revision={diff.data?.revision ?? revision} onDeployed={setMigrationId} onStale={() => void diff.refetch()} /> : null}
      {plan && count === 0 && migrationId === null ? (
        <div className={classes.links}>
          <p className={classes.done}>Nothing to deploy: {database.environment} is what the draft says.</p>
          <ButtonLink size="compact-sm" variant="subtle" to="/projects/$projectId/$environment/api" params={place}>Open the API</ButtonLink>
        </div>
      ) : null}
    </Panel>
  );
}

/** How far this screen's deploy is; it counts as running until the plan was made anew on top of what it published. */
function useProgress(migrationId: string | null, plan: MigrationPlan | undefined): 'none' | 'running' | 'published' | 'stopped' {
  const { data: migration } = useQuery({ ...migrationQuery(migrationId ?? ''), enabled: migrationId !== null });
  if (migrationId === null) return 'none';
  if (!migration || !hasEnded(migration.state)) return 'running';
  if (migration.state !== 'published') return 'stopped';
  return plan !== undefined && plan.baseSnapshot < (migration.published_snapshot ?? 0) ? 'running' : 'published';
}

function TargetState({ isPending, state, count, summary }: { isPending: boolean; state: DatabaseAnswer['state']; count: number | null; summary: string }) {
  if (state !== 'ready') return <Tag dot tone={state === 'failed' ? 'brick' : 'ochre'}>{state}</Tag>;
  if (isPending || count === null) return null;
  return count === 0 ? <Tag dot tone="pine">up to date</Tag> : <Tag dot tone="ochre">{summary}</Tag>;
}

/** Refusals that a fresh plan may settle. */
const STALE_CODES: readonly string[] = ['schema.stale_base', 'schema.needs_confirmation', 'schema.busy'];

interface DeployPlanProps {
  readonly projectId: string;
  readonly database: DatabaseAnswer;
  readonly plan: MigrationPlan;
  readonly revision: number;
  readonly onDeployed: (migrationId: string) => void;
  /** The server's plan is another one by now. */
  readonly onStale: () => void;
}

function DeployPlan({ projectId, database, plan, revision, onDeployed, onStale }: DeployPlanProps) {
  const deploy = useDeploy(projectId);
  const [typed, setTyped] = useState('');
  const loses = plan.loss.length > 0;
  const isOpen = plan.needsRebuild.length === 0 && (!loses || typed === database.environment);
  const run = (): void =>
    deploy.mutate(
      {
        targets: [{ database: database.id, base_snapshot: plan.baseSnapshot }],
        revision,
        confirm: [plan.hash],
        ...(loses ? { accept_loss: true } : {}),
      },
      {
        onSuccess: (answer) => {
          const migration = answer.migrations.find((candidate) => candidate.database === database.id) ?? answer.migrations[0];
          if (migration) onDeployed(migration.id);
        },
      },
    );
  return (
    <>
      <PlanSteps plan={plan} />
      {deploy.isError ? <ErrorNotice title={`Nothing was deployed to ${database.environment}`} error={deploy.error} onRetry={STALE_CODES.includes(toApiError(deploy.error).code) ? onStale : undefined} /> : null}
      <div className={classes.deploy}>
        {loses ? (
          <TextInput label={<>Type <strong>{database.environment}</strong> to accept the loss</>} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} autoComplete="off" spellCheck={false} />
        ) : null}
        <Button color={loses ? 'brick' : 'pine'} onClick={run} loading={deploy.isPending} disabled={!isOpen}>
          Deploy to {database.environment}
        </Button>
      </div>
    </>
  );
}
