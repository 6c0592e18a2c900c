import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { queueQuery } from '../../data/migrations/queries.js';
import { lazyPart } from '../../ui/loading/lazy-part.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';

const MigrationLive = lazyPart(
  () => import('./migration-live.js').then((module) => module.MigrationLive),
  <SkeletonRows rows={2} height={18} />,
);

/**
 * Shows the progress while the database is being created or a deploy is running. Otherwise it shows nothing.
 */
export function RunningMigration({
  project,
  database,
}: {
  project: ProjectResponse;
  database: DatabaseResponse;
}) {
  const running = useQuery(queueQuery(database)).data?.items[0];
  if (database.state === 'pending') {
    return (
      <Panel title={`Building ${database.environment}`} note="Creating the database and its accounts.">
        <SkeletonRows rows={2} height={18} />
      </Panel>
    );
  }
  if (database.state === 'failed')
    return (
      <Panel title={`Couldn’t create ${database.environment}`} tone="brick">
        Delete the project and create it again, or ask your administrator.
      </Panel>
    );
  if (!running) return null;
  return (
    <Panel title="Deploy in progress">
      <MigrationLive projectId={project.id} migrationId={running.id} />
    </Panel>
  );
}
