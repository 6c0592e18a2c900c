import type { DatabaseAnswer, ProjectAnswer } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { queueQuery } from '../../data/migrations/queries.js';
import { lazyPart } from '../../ui/lazy-part.js';
import { Panel } from '../../ui/panel.js';
import { SkeletonRows } from '../../ui/skeleton-rows.js';

const MigrationLive = lazyPart(() => import('./migration-live.js').then((module) => module.MigrationLive), <SkeletonRows rows={2} height={18} />);

/** Shows what is in progress: the creation of the database, or a deploy. Shows nothing otherwise. */
export function RunningMigration({ project, database }: { project: ProjectAnswer; database: DatabaseAnswer }) {
  const running = useQuery(queueQuery(database)).data?.items[0];
  if (database.state === 'pending') {
    return <Panel title={`Building ${database.environment}`} note="The database and its accounts are being made."><SkeletonRows rows={2} height={18} /></Panel>;
  }
  if (database.state === 'failed') return <Panel title={`${database.environment} could not be made`} tone="brick">The database is not there. Delete the project and make it again, or ask the operator.</Panel>;
  if (!running) return null;
  return <Panel title="A deploy is on its way"><MigrationLive projectId={project.id} migrationId={running.id} /></Panel>;
}
