import { isUnknownOutcome } from '../../data/client/api-error.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { ConflictList } from './changes/conflict-list.js';
import classes from './rows.module.css';
import { keepMine, unstage } from './changes/staged-changes.js';
import type { RowEdits } from './changes/use-row-edits.js';
import type { TableRead } from './use-table-rows.js';

interface TableNoticesProps {
  readonly read: TableRead;
  readonly edits: RowEdits;
}

/**
 * Shows errors of the page: a failed save with its conflicts, or a failed request for more rows or for long
 * values.
 */
export function TableNotices({ read: { list, long }, edits }: TableNoticesProps) {
  const { history, save } = edits;
  const { staged } = history;
  return (
    <div className={classes.notices}>
      {save.isError ? (
        <ErrorNotice
          title={isUnknownOutcome(save.error) ? 'The save may not have finished' : 'Nothing was saved'}
          error={save.error}
          onRetry={edits.submit}
        />
      ) : null}
      {save.data?.kind === 'rejected' && Object.keys(staged.faults).length > 0 ? (
        <ErrorNotice title="Nothing was saved because a change was rejected" error={save.data.error}>
          <ConflictList
            staged={staged}
            message={save.data.error.message}
            onKeep={(id) => history.change((now) => keepMine(now, id))}
            onDrop={(id) => {
              history.change((now) => unstage(now, [id]));
              void list.refetch();
            }}
          />
        </ErrorNotice>
      ) : null}
      {long.error === null ? null : (
        <ErrorNotice title="Couldn’t load long values" error={long.error} onRetry={long.retry} />
      )}
      {list.isError && list.data !== undefined ? (
        <ErrorNotice
          title="Couldn’t load more rows"
          error={list.error}
          onRetry={() => void list.fetchNextPage()}
        />
      ) : null}
    </div>
  );
}
