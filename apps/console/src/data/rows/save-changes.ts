import type { DatabaseResponse } from '@rowhouse/contracts';
import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useRef } from 'react';
import type { TableView } from '../schema/read-tables.js';
import type { RowChange, SavedChange } from './apply-changes.js';
import type { SaveRows } from './create-row-saver.js';
import { rowKeys } from './queries.js';
import { makeRowPath } from './make-list-path.js';
import type { RowPage, PageStart } from './read-page.js';
import type { Row } from './cell-text.js';

/**
 * Returns a mutation that saves staged changes. Changed rows stay in the list, even if a filter would exclude
 * them now.
 */
export function useSaveChanges(database: DatabaseResponse, table: TableView, listKey: readonly unknown[]) {
  const queryClient = useQueryClient();
  // One saver is kept for all renders, because it holds the idempotency key of changes whose outcome is
  // unknown.
  const saver = useRef<SaveRows | null>(null);
  return useMutation({
    mutationFn: async (changes: readonly RowChange[]) => {
      // The code is loaded with the first save, so that the page shows rows earlier.
      const { createRowSaver } = await import('./create-row-saver.js');
      saver.current ??= createRowSaver();
      return saver.current(database, table, changes);
    },
    onSuccess: (result) => {
      if (result.kind === 'rejected') return;
      const { sent, saved } = result;
      queryClient.setQueryData<InfiniteData<RowPage, PageStart>>(listKey, (old) =>
        old === undefined ? old : putSaved(table, old, sent, saved),
      );
      const isIncomplete = sent.some(({ kind }, index) => kind !== 'delete' && !saved[index]?.values);
      if (isIncomplete) void queryClient.invalidateQueries({ queryKey: listKey });
      void queryClient.invalidateQueries({ queryKey: [...rowKeys.of(database.id, table.name), 'count'] });
      queryClient.removeQueries({ queryKey: [...rowKeys.of(database.id, table.name), 'one'] });
    },
  });
}

/**
 * Applies saved changes to the loaded pages. New rows come first, changed rows stay in place, and deleted
 * rows are removed.
 */
export function putSaved(
  table: TableView,
  data: InfiniteData<RowPage, PageStart>,
  changes: readonly RowChange[],
  saved: readonly SavedChange[],
): InfiniteData<RowPage, PageStart> {
  const byPath = new Map(
    changes.flatMap((change, index) =>
      change.path === null ? [] : [[change.path, { change, stored: saved[index] }] as const],
    ),
  );
  const created = saved
    .filter((_, index) => changes[index]?.kind === 'insert')
    .flatMap(({ values, etag }) => (values === null ? [] : [{ ...values, _etag: etag }]));
  const update = (row: Row): Row[] => {
    const found = byPath.get(makeRowPath(table, row) ?? '');
    if (found === undefined) return [row];
    if (found.change.kind === 'delete') return [];
    return [found.stored?.values ? { ...found.stored.values, _etag: found.stored.etag } : row];
  };
  return {
    ...data,
    pages: data.pages.map((page, index) => ({
      ...page,
      rows: [...(index === 0 ? created : []), ...page.rows.flatMap(update)],
    })),
  };
}
