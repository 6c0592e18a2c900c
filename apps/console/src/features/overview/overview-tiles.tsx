import type { DatabaseAnswer } from '@rowhouse/contracts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dayUsageQuery, overviewInsightsQuery } from '../../data/overview/queries.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { findP95 } from './find-p95.js';
import { formatBytes } from './format-bytes.js';
import classes from './overview.module.css';

/** The last day in five numbers. */
export function OverviewTiles({ database }: { database: DatabaseAnswer }) {
  const usage = useQuery(dayUsageQuery(database));
  const insights = useQuery(overviewInsightsQuery(database));
  if (database.state !== 'ready') return null;
  if (usage.isError) return <ErrorNotice title="The numbers of the last day could not be read" error={usage.error} onRetry={() => void usage.refetch()} />;
  const { totals, storage } = usage.data ?? {};
  const p95 = insights.data === undefined ? undefined : findP95(insights.data.routes);
  return (
    <dl className={classes.tiles} aria-label="The last 24 hours">
      <Tile label="Requests" note="last 24 hours">{totals?.requests.toLocaleString('en')}</Tile>
      <Tile label="Errors" note="5xx and 429" tone={totals !== undefined && totals.errors > 0 ? 'brick' : undefined}>{totals?.errors.toLocaleString('en')}</Tile>
      <Tile label="p95" note="newest requests">{p95 === undefined ? undefined : p95 === null ? '–' : `${p95 < 10 ? p95.toFixed(1) : Math.round(p95)} ms`}</Tile>
      <Tile label="Rows sent" note="last 24 hours">{totals?.rows_out.toLocaleString('en')}</Tile>
      <Tile label="Storage" note={storage === undefined || storage.bytes_max === null ? 'no quota' : `of ${formatBytes(storage.bytes_max)}`} tone={storage?.is_full === true ? 'brick' : undefined}>{storage === undefined ? undefined : formatBytes(storage.bytes)}</Tile>
    </dl>
  );
}

function Tile({ label, note, tone, children }: { label: string; note: string; tone?: 'brick' | undefined; children: ReactNode }) {
  return (
    <div className={classes.tile} data-tone={tone}>
      <dt>{label}</dt>
      <dd>{children === undefined ? <Skeleton height={24} width={56} mt={4} /> : children}<span className={classes.tileNote}>{note}</span></dd>
    </div>
  );
}
