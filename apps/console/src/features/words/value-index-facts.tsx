import type { DatabaseResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { valueIndexQuery } from '../../data/words/queries.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { SkeletonRows } from '../../ui/skeleton-rows.js';
import { TimeText } from '../../ui/time-text.js';
import { describeIndex } from './describe-index.js';

/**
 * Shows how many values of this database the question engine knows. The values themselves are never shown.
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
