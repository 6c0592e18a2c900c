import type { DatabaseResponse, SeedResponse } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { overviewKeys } from '../overview/queries.js';
import { rowKeys } from './queries.js';

/** Creates sample rows in every empty table of a database. */
export function useSeedRows(database: Pick<DatabaseResponse, 'id'>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => sendRequest<SeedResponse>('POST', `/api/databases/${database.id}/seed`, {}),
    onSuccess: () =>
      Promise.all(
        [rowKeys.tables(database.id), overviewKeys.of(database.id)].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** Describes the result, such as `Added 100 sample rows to 5 tables.`, or why every table was skipped. */
export function describeSeed({ rows, tables }: Pick<SeedResponse, 'rows' | 'tables'>): string {
  const filled = tables.filter((table) => table.rows > 0).length;
  if (filled === 0)
    return `No sample rows added. ${tables
      .flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reason}.`]))
      .slice(0, 2)
      .join(' ')}`.trim();
  return `Added ${rows.toLocaleString('en')} sample ${rows === 1 ? 'row' : 'rows'} to ${filled} ${filled === 1 ? 'table' : 'tables'}.`;
}
