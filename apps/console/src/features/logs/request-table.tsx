import type { KeyAnswer, RequestItem } from '@rowhouse/contracts';
import { DataTable } from '../../ui/data-table.js';
import { Tag, type TagTone } from '../../ui/tag.js';
import { formatCount, formatMilliseconds } from '../../ui/format-number.js';
import classes from './logs.module.css';

interface RequestTableProps {
  readonly items: readonly RequestItem[];
  readonly keys: readonly KeyAnswer[];
  readonly onOpen: (item: RequestItem) => void;
}

export function RequestTable({ items, keys, onOpen }: RequestTableProps) {
  return (
    <DataTable
      label="Requests"
      rows={items}
      rowKey={(item) => item.id}
      columns={[
        { header: 'Request', isTitle: true, cell: (item) => <button type="button" className={classes.open} onClick={() => onOpen(item)}>{item.route === '' ? item.method : item.route}</button> },
        { header: 'Status', cell: (item) => <span className={classes.status}><Tag mono tone={toneOfStatus(item.status)}>{String(item.status)}</Tag>{item.code === '' ? null : <span className="rh-mono">{item.code}</span>}</span> },
        { header: 'Took', align: 'end', cell: (item) => formatMilliseconds(item.duration_ms) },
        { header: 'Rows', align: 'end', cell: (item) => formatCount(item.rows_out) },
        { header: 'Key', cell: (item) => nameKey(item.key_id, keys) },
        { header: 'When', cell: (item) => <time dateTime={item.at} title={new Date(item.at).toLocaleString()}>{formatClock(item.at)}</time> },
      ]}
    />
  );
}

export function toneOfStatus(status: number): TagTone {
  if (status >= 500) return 'brick';
  if (status >= 400) return 'ochre';
  return 'pine';
}

/** The console asks with keys of its own, which no list shows. */
export function nameKey(id: string | null, keys: readonly KeyAnswer[]): string {
  if (id === null) return '–';
  return keys.find((key) => key.id === id)?.name ?? 'console or revoked';
}

function formatClock(iso: string): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? at.toLocaleTimeString() : at.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' });
}
