import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { migrationQuery } from '../data/migrations/queries.js';
import { MigrationLive } from '../features/migrations/migration-live.js';
import { PlanSteps } from '../features/schema/plan-steps.js';
import { PublishedLinks } from '../features/schema/published-links.js';
import { summarizePlan } from '../features/schema/summarize-plan.js';
import { useCurrentDatabase } from '../features/shell/current-database.js';
import { CopyButton } from '../ui/copy-button.js';
import { ButtonLink } from '../ui/links.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { TimeText } from '../ui/time-text.js';

const route = getRouteApi('/signed-in/projects/$projectId/$environment/migrations/$migrationId');

export function MigrationScreen() {
  const { project, database } = useCurrentDatabase();
  const { migrationId } = route.useParams();
  const { data: migration } = useQuery(migrationQuery(migrationId));
  const place = { projectId: project.id, environment: database.environment };
  return (
    <Page
      title={migration ? summarizePlan(migration.plan) : 'Migration'}
      documentTitle="Migration"
      lead={migration ? <>{migration.environment}, revision {migration.revision}, started <TimeText iso={migration.started_at ?? migration.created_at} /> · <span className="rh-mono">{migrationId}</span> <CopyButton text={migrationId} label="Copy migration id" /></> : undefined}
      actions={<ButtonLink variant="default" size="xs" to="/projects/$projectId/$environment/migrations" params={place}>All migrations</ButtonLink>}
    >
      <Panel title="State">
        <MigrationLive projectId={project.id} migrationId={migrationId}>{(published) => <PublishedLinks place={place} migration={published} />}</MigrationLive>
      </Panel>
      {migration ? <Panel title="Plan"><PlanSteps plan={migration.plan} /></Panel> : null}
    </Page>
  );
}
