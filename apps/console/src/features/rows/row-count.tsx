import type { DatabaseResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListRequest } from '../../data/rows/make-list-path.js';
import { countQuery } from '../../data/rows/queries.js';
import type { TableView } from '../../data/schema/read-tables.js';
import { formatCount, formatCountOf } from '../../ui/formatting/format-number.js';
import classes from './rows.module.css';

interface RowCountProps {
  readonly database: DatabaseResponse;
  readonly table: TableView;
  readonly filters: ListRequest['filters'];
  /** The number of rows if all of them are loaded, otherwise null. */
  readonly known: number | null;
}

/**
 * Shows the engine's estimate of a table's row count. The rows are counted exactly when the user asks for it.
 */
export function RowCount({ database, table, filters, known }: RowCountProps) {
  const [requested, setAsked] = useState<string | null>(null);
  const about = JSON.stringify([table.name, filters]);
  const isComplete = filters.length === 0 && table.kind === 'table';
  const estimate = useQuery({
    ...countQuery(database, table, [], 'estimated'),
    enabled: isComplete && known === null,
  });
  const exact = useQuery({ ...countQuery(database, table, filters, 'exact'), enabled: requested === about });
  const counted = known ?? (requested === about ? exact.data : undefined);
  if (counted !== undefined)
    return (
      <span className={classes.count} role="status">
        {reportCounted(counted)}
      </span>
    );
  return (
    <span className={classes.count}>
      {isComplete && typeof estimate.data === 'number' ? (
        <span title="Estimated by the database">about {describeCount(estimate.data)} rows</span>
      ) : null}
      <button
        type="button"
        className={classes.textButton}
        onClick={() => (exact.isError ? void exact.refetch() : setAsked(about))}
      >
        {exact.isFetching ? 'Counting…' : exact.isError ? 'Couldn’t count. Retry' : 'Get exact count'}
      </button>
    </span>
  );
}

/** Returns the exact number of rows as text. `count` is null if the gateway returned no number. */
export function reportCounted(count: number | null): string {
  return count === null ? 'Not counted' : formatCountOf(count, 'row');
}

/**
 * Formats an estimated number of rows. Numbers below 10,000 are shown in full, and larger ones are rounded.
 */
export function describeCount(count: number): string {
  if (count < 10_000) return formatCount(count);
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(count);
}
