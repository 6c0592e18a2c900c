import type { MigrationResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../data/client/api-error.js';
import { hasEnded, migrationQuery } from '../../data/migrations/queries.js';
import { describeDuration } from '../../features/migrations/describe-state.js';
import { MigrationActions } from '../../features/migrations/migration-actions.js';
import { MigrationChanges } from '../../features/migrations/migration-changes.js';
import { MigrationLive } from '../../features/migrations/migration-live.js';
import classes from '../../features/migrations/migrations.module.css';
import { StepList } from '../../features/migrations/step-list.js';
import { PlanSteps } from '../../features/schema/deploy/plan-steps.js';
import { PublishedLinks } from '../../features/schema/deploy/published-links.js';
import { summarizePlan } from '../../features/schema/deploy/summarize-plan.js';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import type { PageLocation } from '../../features/shell/pages.js';
import { CopyButton } from '../../ui/code/copy-button.js';
import { formatCount } from '../../ui/formatting/format-number.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { NotFoundScreen } from '../lazy-not-found.js';

const route = getRouteApi('/signed-in/projects/$projectId/$environment/migrations/$migrationId');

/** The page of one migration, with its progress, its steps and the available actions. */
export function MigrationScreen() {
  const { project, database } = useCurrentDatabase();
  const { migrationId } = route.useParams();
  const navigate = useNavigate();
  const { data: migration, error } = useQuery(migrationQuery(migrationId));
  const canAct = useMay(project, 'developer');
  const location = { projectId: project.id, environment: database.environment };
  if (error instanceof ApiError && error.status === 404) return <NotFoundScreen />;
  const open = (other: MigrationResponse): void =>
    void navigate({
      to: '/projects/$projectId/$environment/migrations/$migrationId',
      params: { ...location, migrationId: other.id },
    });
  return (
    <Page
      title={migration ? summarizePlan(migration.plan) : 'Migration'}
      documentTitle="Migration"
      lead={
        <>
          <span className="rh-mono">{migrationId}</span>{' '}
          <CopyButton text={migrationId} label="Copy migration ID" />
        </>
      }
      actions={
        <ButtonLink
          variant="default"
          size="xs"
          to="/projects/$projectId/$environment/migrations"
          params={location}
        >
          All migrations
        </ButtonLink>
      }
    >
      <Panel
        title="Status"
        actions={
          migration && canAct && hasEnded(migration.state) ? (
            <MigrationActions key={migration.id} migration={migration} onAnother={open} />
          ) : undefined
        }
      >
        <MigrationLive key={migrationId} projectId={project.id} migrationId={migrationId} canAct={canAct}>
          {(published) => <PublishedLinks location={location} migration={published} />}
        </MigrationLive>
      </Panel>
      {migration ? (
        <>
          <Panel title="Details">
            <Facts migration={migration} location={location} />
          </Panel>
          {migration.origin === 'direct' ? null : (
            <Panel title="Steps">
              <StepList migration={migration} />
            </Panel>
          )}
          <Panel title="API changes">
            <MigrationChanges migration={migration} location={location} />
          </Panel>
          <Panel title="Plan">
            <PlanSteps plan={migration.plan} withoutImpact />
          </Panel>
        </>
      ) : null}
    </Page>
  );
}

function Facts({
  migration,
  location: pageLocation,
}: {
  migration: MigrationResponse;
  location: PageLocation;
}) {
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Database</dt>
        <dd>{migration.environment}</dd>
      </div>
      <div>
        <dt>By</dt>
        <dd>
          {migration.by?.name || 'Unknown'}{' '}
          {migration.by?.kind === 'connection' ? ' (direct connection)' : ''}
        </dd>
      </div>
      <div>
        <dt>Requested</dt>
        <dd>
          <TimeText iso={migration.created_at} />
        </dd>
      </div>
      <div>
        <dt>Duration</dt>
        <dd>{migration.duration_ms === null ? 'In progress' : describeDuration(migration.duration_ms)}</dd>
      </div>
      <div>
        <dt>Version</dt>
        <dd>
          {migration.base_snapshot} → {migration.published_snapshot ?? '…'}
        </dd>
      </div>
      <div>
        <dt>Draft</dt>
        <dd>revision {migration.revision}</dd>
      </div>
      {migration.rows_total === null ? null : (
        <div>
          <dt>Rows copied</dt>
          <dd>{formatCount(migration.rows_done ?? 0)}</dd>
        </div>
      )}
      {migration.reverts === null ? null : (
        <div>
          <dt>Reverts</dt>
          <dd>
            <Link
              to="/projects/$projectId/$environment/migrations/$migrationId"
              params={{ ...pageLocation, migrationId: migration.reverts }}
            >
              Earlier migration
            </Link>
          </dd>
        </div>
      )}
    </dl>
  );
}
