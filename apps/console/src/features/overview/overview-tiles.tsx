import type { DatabaseAnswer } from '@rowhouse/contracts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dayUsageQuery, overviewInsightsQuery } from '../../data/overview/queries.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { formatBytes, formatCount, formatMilliseconds } from '../../ui/format-number.js';
import { Tiles } from '../../ui/tiles.js';
import { findP95 } from './find-p95.js';

/** The last day in five numbers. */
export function OverviewTiles({ database }: { database: DatabaseAnswer }) {
  const usage = useQuery(dayUsageQuery(database));
  const insights = useQuery(overviewInsightsQuery(database));
  if (database.state !== 'ready') return null;
  if (usage.isError) return <ErrorNotice title="The numbers of the last day could not be read" error={usage.error} onRetry={() => void usage.refetch()} />;
  const { totals, storage } = usage.data ?? {};
  const p95 = insights.data === undefined ? undefined : findP95(insights.data.routes);
  const show = (value: ReactNode): ReactNode => (value === undefined ? <Skeleton height={22} width={56} /> : value);
  return (
    <Tiles
      tiles={[
        { label: 'Requests', value: show(totals && formatCount(totals.requests)), note: 'last 24 hours' },
        { label: 'Errors', value: show(totals && formatCount(totals.errors)), note: '5xx and 429', tone: totals !== undefined && totals.errors > 0 ? 'brick' : undefined },
        { label: 'p95', value: show(p95 === undefined ? undefined : p95 === null ? '–' : formatMilliseconds(p95)), note: 'newest requests' },
        { label: 'Rows sent', value: show(totals && formatCount(totals.rows_out)), note: 'last 24 hours' },
        { label: 'Storage', value: show(storage && formatBytes(storage.bytes)), note: storage === undefined || storage.bytes_max === null ? 'no quota' : `of ${formatBytes(storage.bytes_max)}`, tone: storage?.is_full === true ? 'brick' : undefined },
      ]}
    />
  );
}
