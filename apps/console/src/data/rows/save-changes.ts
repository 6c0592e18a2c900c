import type { DatabaseResponse } from '@rowhouse/contracts';
import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import type { TableView } from '../schema/read-tables.js';
import { applyChanges, type RowChange, type SavedChange } from './apply-changes.js';
import { rowKeys } from './queries.js';
import { makeRowPath } from './make-list-path.js';
import type { RowPage, PageStart } from './read-page.js';
import type { Row } from './cell-text.js';

/** Saves staged changes. Changed rows stay in place, even if a filter would exclude them now. */
export function useSaveChanges(database: DatabaseResponse, table: TableView, listKey: readonly unknown[]) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (changes: readonly RowChange[]) => applyChanges(database, table, changes),
    onSuccess: (applied, changes) => {
      if (applied.kind === 'refused') return;
      queryClient.setQueryData<InfiniteData<RowPage, PageStart>>(listKey, (old) =>
        old === undefined ? old : putSaved(table, old, changes, applied.answers),
      );
      void queryClient.invalidateQueries({ queryKey: [...rowKeys.of(database.id, table.name), 'count'] });
      queryClient.removeQueries({ queryKey: [...rowKeys.of(database.id, table.name), 'one'] });
    },
  });
}

/**
 * Returns the loaded pages with saved changes: new rows first, changed ones in place, and without deleted
 * ones.
 */
export function putSaved(
  table: TableView,
  data: InfiniteData<RowPage, PageStart>,
  changes: readonly RowChange[],
  answers: readonly SavedChange[],
): InfiniteData<RowPage, PageStart> {
  const byPath = new Map(
    changes.flatMap((change, index) =>
      change.path === null ? [] : [[change.path, { change, answer: answers[index] }] as const],
    ),
  );
  const created = answers
    .filter((_, index) => changes[index]?.kind === 'insert')
    .flatMap(({ values, etag }) => (values === null ? [] : [{ ...values, _etag: etag }]));
  const update = (row: Row): Row[] => {
    const found = byPath.get(makeRowPath(table, row) ?? '');
    if (found === undefined) return [row];
    if (found.change.kind === 'delete') return [];
    return [found.answer?.values ? { ...found.answer.values, _etag: found.answer.etag } : row];
  };
  return {
    ...data,
    pages: data.pages.map((page, index) => ({
      ...page,
      rows: [...(index === 0 ? created : []), ...page.rows.flatMap(update)],
    })),
  };
}
