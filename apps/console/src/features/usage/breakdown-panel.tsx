import type { DatabaseResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { breakdownQuery } from '../../data/telemetry/queries.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { formatCount } from '../../ui/formatting/format-number.js';
import { Panel } from '../../ui/layout/panel.js';
import { Segments } from '../../ui/controls/segments.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import classes from './usage.module.css';

interface BreakdownPanelProps {
  readonly database: DatabaseResponse;
  readonly by: 'key' | 'table';
  readonly days: number;
  readonly onChange: (by: 'key' | 'table') => void;
}

/** Breaks requests down by key or by table. */
export function BreakdownPanel({ database, by, days, onChange }: BreakdownPanelProps) {
  const breakdown = useQuery(breakdownQuery(database.id, by, days));
  const top = Math.max(1, ...(breakdown.data?.items.map((item) => item.requests) ?? []));
  return (
    <Panel
      title={by === 'key' ? 'By key' : 'By table'}
      note={`Requests ${describeDays(days)} (UTC days).`}
      actions={
        <Segments
          aria-label="Breakdown"
          data={[
            { value: 'table', label: 'By table' },
            { value: 'key', label: 'By key' },
          ]}
          value={by}
          onChange={(value) => onChange(value === 'key' ? 'key' : 'table')}
        />
      }
    >
      {breakdown.isPending ? <SkeletonRows rows={4} /> : null}
      <QueryErrorNotice title="Couldn’t load usage" query={breakdown} />
      {breakdown.data?.items.length === 0 ? (
        <p className={classes.note}>No requests in this period.</p>
      ) : null}
      <ol className={classes.shares}>
        {breakdown.data?.items.map((item) => (
          <li key={item.id ?? ''}>
            <span className={classes.name}>{item.name}</span>
            <span className={classes.track} aria-hidden="true">
              <span style={{ width: `${(item.requests / top) * 100}%` }} />
            </span>
            <span className={classes.count}>{formatCount(item.requests)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/**
 * Describes a period in days. The gateways count the requests by key or table for whole days, so a period of
 * hours is not described in hours.
 */
function describeDays(days: number): string {
  if (days === 1) return 'today';
  return days === 2 ? 'today and yesterday' : `in the last ${days} days`;
}
