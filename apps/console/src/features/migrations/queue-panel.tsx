import type { DatabaseResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queueQuery } from '../../data/migrations/queries.js';
import { Panel } from '../../ui/layout/panel.js';
import { summarizePlan } from '../schema/deploy/summarize-plan.js';
import { CancelButton } from './migration-actions.js';
import { MigrationLive } from './migration-live.js';
import classes from './migrations.module.css';

/**
 * Shows the migration that is running and those that wait in the queue. Shows nothing while the queue is
 * empty.
 */
export function QueuePanel({ database, canAct }: { database: DatabaseResponse; canAct: boolean }) {
  const queue = useQuery(queueQuery(database));
  const { items = [], is_locked: isLocked = false } = queue.data ?? {};
  if (items.length === 0 && !isLocked) return null;
  const location = { projectId: database.project_id, environment: database.environment };
  return (
    <Panel
      title="Queue"
      note={
        isLocked
          ? 'Schema changes are paused on this server.'
          : 'Migrations run one at a time per database, in this order.'
      }
    >
      <ol className={classes.queue} aria-label="Queue">
        {items.map((migration, index) => (
          <li key={migration.id}>
            <div className={classes.queueHead}>
              <strong>
                <Link
                  to="/projects/$projectId/$environment/migrations/$migrationId"
                  params={{ ...location, migrationId: migration.id }}
                >
                  {summarizePlan(migration.plan)}
                </Link>
              </strong>
              {migration.by === null || migration.by.name === '' ? null : (
                <span className="rh-dim">by {migration.by.name}</span>
              )}
            </div>
            {index === 0 ? (
              <MigrationLive projectId={database.project_id} migrationId={migration.id} canAct={canAct} />
            ) : canAct ? (
              <div className={classes.line}>
                <span className="rh-dim">Waiting.</span>
                <CancelButton migration={migration} />
              </div>
            ) : null}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
