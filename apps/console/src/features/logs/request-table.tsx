import type { RequestItem } from '@rowhouse/contracts';
import { DataTable } from '../../ui/layout/data-table.js';
import { Tag, type TagTone } from '../../ui/layout/tag.js';
import { writeClock, writeExactTime } from '../../ui/formatting/describe-time.js';
import { reportExactTime, reportWhenAsked } from '../../ui/formatting/time-text.js';
import { formatCount, formatMilliseconds } from '../../ui/formatting/format-number.js';
import classes from './logs.module.css';
import { nameRoute } from './name-route.js';

interface RequestTableProps {
  readonly items: readonly RequestItem[];
  readonly onOpen: (item: RequestItem) => void;
}

export function RequestTable({ items, onOpen }: RequestTableProps) {
  return (
    <DataTable
      label="Requests"
      rows={items}
      rowKey={(item) => item.id}
      columns={[
        {
          header: 'Request',
          isTitle: true,
          cell: (item) => (
            <button type="button" className={classes.open} onClick={() => onOpen(item)}>
              {nameRoute(item.route) || item.method}
            </button>
          ),
        },
        {
          header: 'Status',
          cell: (item) => (
            <span className={classes.status}>
              <Tag mono tone={toneOfStatus(item.status)}>
                {String(item.status)}
              </Tag>
              {item.code === '' ? null : <span className="rh-mono">{item.code}</span>}
            </span>
          ),
        },
        { header: 'Duration', align: 'end', cell: (item) => formatMilliseconds(item.duration_ms) },
        { header: 'Rows', align: 'end', cell: (item) => formatCount(item.rows_out) },
        { header: 'Key', cell: (item) => nameKey(item) },
        {
          header: 'When',
          cell: (item) => (
            <time dateTime={item.at} {...reportWhenAsked(reportExactTime)}>
              {formatClock(item.at)}
            </time>
          ),
        },
      ]}
    />
  );
}

export function toneOfStatus(status: number): TagTone {
  if (status >= 500) return 'brick';
  if (status >= 400) return 'ochre';
  return 'pine';
}

/**
 * Returns the name of a request's key. The logged name is null once the platform has deleted the
 * key.
 */
export function nameKey({ key_id: id, key_name: name }: Pick<RequestItem, 'key_id' | 'key_name'>): string {
  return id === null ? 'none' : (name ?? 'Deleted key');
}

function formatClock(iso: string): string {
  const date = new Date(iso);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? writeClock(date, true) : writeExactTime(date);
}
