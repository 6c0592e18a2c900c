import type { DatabaseResponse, UsageItem, UsageResponse } from '@rowhouse/contracts';
import { MINUTE_MS } from '@rowhouse/contracts/constants';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { usageQuery } from '../../data/telemetry/queries.js';
import { BarChart } from '../../ui/layout/bar-chart.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { writeClock, writeDay } from '../../ui/formatting/describe-time.js';
import {
  formatBytes,
  formatCount,
  formatMilliseconds,
  formatShortCount,
} from '../../ui/formatting/format-number.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { Panel } from '../../ui/layout/panel.js';
import { Skeleton } from '../../ui/loading/skeleton.js';
import { Tiles } from '../../ui/layout/tiles.js';
import { USAGE_SPANS, type UsageSpan } from './usage-spans.js';

const STEP_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

interface Bucket {
  readonly atMs: number;
  readonly requests: number;
  /** The number of failed or rate-limited requests. */
  readonly marked: number;
}

/**
 * The height of the chart with its axis, in pixels. This space is reserved, so that the page does not move
 * when the chart appears.
 */
const CHART_SKELETON_PX = 163;

const WAITING = (
  <div aria-busy="true">
    <Skeleton height={CHART_SKELETON_PX} />
  </div>
);

/** Shows the number of requests over time, with totals. */
export function UsageChart({ database, span }: { database: DatabaseResponse; span: UsageSpan }) {
  const { step, lengthMs, label } = USAGE_SPANS[span];
  const { from, to } = useMemo(() => {
    const endMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    return { from: new Date(endMs - lengthMs).toISOString(), to: new Date(endMs).toISOString() };
  }, [lengthMs]);
  const usage = useQuery(usageQuery(database.id, step, from, to));
  if (usage.isError)
    return (
      <ErrorNotice title="Couldn’t load usage" error={usage.error} onRetry={() => void usage.refetch()} />
    );
  const { totals, storage } = usage.data ?? {};
  const show = (value: ReactNode): ReactNode =>
    usage.isPending ? <Skeleton height={22} width={56} /> : value;
  return (
    <>
      <Tiles
        tiles={[
          {
            label: 'Requests',
            value: show(totals && formatShortCount(totals.requests)),
            note: `last ${label}`,
          },
          {
            label: 'Failed',
            value: show(totals && formatShortCount(totals.errors)),
            note: '5xx responses',
            tone: totals !== undefined && totals.errors > 0 ? 'brick' : undefined,
          },
          {
            label: 'Rate-limited',
            value: show(totals && formatShortCount(totals.limited)),
            note: '429 responses',
            tone: totals !== undefined && totals.limited > 0 ? 'brick' : undefined,
          },
          {
            label: 'Average latency',
            value: show(totals && formatMilliseconds(totals.mean_ms)),
            note: 'per request',
          },
          {
            label: 'Rows returned',
            value: show(totals && formatShortCount(totals.rows_out)),
            note: totals === undefined ? 'and bytes' : formatBytes(totals.bytes_out),
          },
          {
            label: 'Storage',
            value: show(storage && (storage.measured_at === null ? '–' : formatBytes(storage.bytes))),
            note: storage?.measured_at === null ? 'Not measured yet' : 'rows and indexes',
          },
        ]}
      />
      <Panel
        title={`Requests, last ${label}`}
        note={`Per ${step}. Updated every minute. Failed and rate-limited requests are red.`}
      >
        {usage.data === undefined || totals === undefined ? (
          WAITING
        ) : (
          <Later instead={WAITING}>
            <RequestBars
              items={usage.data.items}
              totals={totals}
              step={step}
              from={from}
              to={to}
              label={label}
            />
          </Later>
        )}
      </Panel>
    </>
  );
}

interface RequestBarsProps {
  readonly items: UsageResponse['items'];
  readonly totals: UsageResponse['totals'];
  readonly step: (typeof USAGE_SPANS)[UsageSpan]['step'];
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

function RequestBars({ items, totals, step, from, to, label }: RequestBarsProps) {
  const write = (atMs: number): string => {
    const date = new Date(atMs);
    return step === 'day' ? writeDay(date) : `${writeDay(date)}, ${writeClock(date)}`;
  };
  const bars = fillBuckets(items, step, from, to).map((bucket) => ({
    value: bucket.requests,
    marked: bucket.marked,
    label: `${write(bucket.atMs)}: ${formatCount(bucket.requests)} requests${bucket.marked > 0 ? `, ${formatCount(bucket.marked)} failed or rate-limited` : ''}`,
  }));
  return (
    <BarChart
      label={`${formatCount(totals.requests)} requests in ${label}, ${formatCount(totals.errors + totals.limited)} of them failed or rate-limited`}
      bars={bars}
      from={write(Date.parse(from))}
      to="now"
    />
  );
}

/**
 * Returns one bucket for each minute, hour or day of the period, oldest first. A bucket without requests is
 * included too.
 */
export function fillBuckets(
  items: readonly UsageItem[],
  step: keyof typeof STEP_MS,
  from: string,
  to: string,
): Bucket[] {
  const lengthMs = STEP_MS[step];
  const found = new Map(items.map((item) => [Date.parse(item.at), item]));
  const startMs = Math.floor(Date.parse(from) / lengthMs) * lengthMs;
  const buckets: Bucket[] = [];
  for (let atMs = startMs; atMs < Date.parse(to); atMs += lengthMs) {
    const item = found.get(atMs);
    buckets.push({ atMs, requests: item?.requests ?? 0, marked: (item?.errors ?? 0) + (item?.limited ?? 0) });
  }
  return buckets;
}
