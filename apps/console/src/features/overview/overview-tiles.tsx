import type {
  DatabaseResponse,
  InsightsResponse,
  MigrationResponse,
  ProjectResponse,
} from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lastMigrationQuery } from '../../data/migrations/queries.js';
import { dayUsageQuery, overviewInsightsQuery } from '../../data/overview/queries.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { formatBytes, formatCount, formatMilliseconds } from '../../ui/formatting/format-number.js';
import { Skeleton } from '../../ui/loading/skeleton.js';
import { Tag } from '../../ui/layout/tag.js';
import { Tiles, type Tile } from '../../ui/layout/tiles.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { describeState } from '../migrations/describe-state.js';
import type { PageLocation } from '../shell/pages.js';
import { useMay } from '../shell/current-database.js';

/** Shows five figures about the last 24 hours, and the outcome of the last schema change. */
export function OverviewTiles({
  project,
  database,
}: {
  project: ProjectResponse;
  database: DatabaseResponse;
}) {
  const usage = useQuery(dayUsageQuery(database));
  // Members with the role viewer may not read the request log and its latencies.
  const mayLook = useMay(project, 'developer');
  const insights = useQuery({
    ...overviewInsightsQuery(database),
    enabled: database.state === 'ready' && mayLook,
  });
  const last = useQuery(lastMigrationQuery(project.id, database.id)).data;
  if (database.state !== 'ready') return null;
  if (usage.isError)
    return (
      <ErrorNotice
        title="Couldn’t load usage for the last 24 hours"
        error={usage.error}
        onRetry={() => void usage.refetch()}
      />
    );
  const { totals, storage } = usage.data ?? {};
  const p95 =
    !mayLook || insights.isError
      ? null
      : insights.data === undefined
        ? undefined
        : findP95(insights.data.routes);
  const show = (value: ReactNode): ReactNode =>
    value === undefined ? <Skeleton height={22} width={56} /> : value;
  return (
    <Tiles
      perRow={3}
      tiles={[
        { label: 'Requests', value: show(totals && formatCount(totals.requests)), note: 'last 24 hours' },
        {
          label: 'Errors',
          value: show(totals && formatCount(totals.errors)),
          note: '5xx and 429',
          tone: totals !== undefined && totals.errors > 0 ? 'brick' : undefined,
        },
        {
          label: 'Latency (p95)',
          value: show(p95 === undefined ? undefined : p95 === null ? '–' : formatMilliseconds(p95)),
          note: 'recent requests',
        },
        {
          label: 'Rows returned',
          value: show(totals && formatCount(totals.rows_out)),
          note: 'last 24 hours',
        },
        {
          label: 'Storage',
          value: show(storage && formatBytes(storage.bytes)),
          note:
            storage === undefined || storage.bytes_max === null
              ? 'no quota'
              : `of ${formatBytes(storage.bytes_max)}`,
          tone: storage?.is_full === true ? 'brick' : undefined,
        },
        last === undefined
          ? { label: LAST_MIGRATION, value: show(undefined) }
          : reportMigration(last, { projectId: project.id, environment: database.environment }),
      ]}
    />
  );
}

const LAST_MIGRATION = 'Last migration';

function reportMigration(migration: MigrationResponse | null, pageLocation: PageLocation): Tile {
  if (migration === null) return { label: LAST_MIGRATION, value: '–', note: 'none yet' };
  const { label, tone } = describeState(migration.state);
  return {
    label: LAST_MIGRATION,
    note: <TimeText iso={migration.created_at} />,
    value: (
      <Link
        to="/projects/$projectId/$environment/migrations/$migrationId"
        params={{ ...pageLocation, migrationId: migration.id }}
      >
        <Tag dot tone={tone}>
          {label}
        </Tag>
      </Link>
    ),
  };
}

/**
 * Estimates the p95 latency of all requests in milliseconds, because the API reports it only for each route.
 * The estimate is the average of the routes' p95, weighted by the number of calls. Returns null if there were
 * no calls.
 */
export function findP95(routes: InsightsResponse['routes']): number | null {
  const total = routes.reduce((sum, route) => sum + route.requests, 0);
  if (total === 0) return null;
  return routes.reduce((sum, route) => sum + route.p95_ms * route.requests, 0) / total;
}
