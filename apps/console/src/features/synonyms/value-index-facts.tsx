import type { DatabaseResponse, ValueIndexResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { valueIndexQuery } from '../../data/synonyms/queries.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { formatCount } from '../../ui/formatting/format-number.js';

/**
 * Shows how many values of this database are indexed for questions. The values themselves are never shown.
 */
export function ValueIndexFacts({ database }: { database: DatabaseResponse }) {
  const index = useQuery(valueIndexQuery(database.id));
  if (index.isPending) return <SkeletonRows rows={1} />;
  if (index.isError)
    return (
      <ErrorNotice
        title="Couldn’t load the value index"
        error={index.error}
        onRetry={() => void index.refetch()}
      />
    );
  return (
    <p>
      {describeIndex(index.data)}
      {index.data.checked_at === null ? null : (
        <>
          {' '}
          Updated <TimeText iso={index.data.checked_at} />.
        </>
      )}
    </p>
  );
}

/** Describes how many values of a database are indexed. */
export function describeIndex(index: ValueIndexResponse): string {
  if (index.checked_at === null)
    return 'No values yet. Rowhouse collects them when someone asks the first question.';
  if (index.values === 0) return 'No column has values that questions can use.';
  return `${count(index.values, 'value')} from ${count(index.columns, 'text column')} (${count(Math.ceil(index.bytes / 1024), 'KB')}).`;
}

function count(number: number, what: string): string {
  const plural = what === 'KB' || number === 1 ? what : `${what}s`;
  return `${formatCount(number)} ${plural}`;
}
