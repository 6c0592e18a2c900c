import type { MigrationResponse } from '@rowhouse/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { migrationKeys } from './queries.js';

/**
 * Keeps `migrationQuery` current with the server's events until the migration has ended. Each event contains
 * the whole migration, so a reconnect misses nothing.
 */
export function useMigrationEvents(migrationId: string, isRunning: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isRunning) return undefined;
    const source = new EventSource(`/api/migrations/${encodeURIComponent(migrationId)}/events`);
    source.addEventListener('migration', (event: MessageEvent<string>) => {
      queryClient.setQueryData(migrationKeys.one(migrationId), JSON.parse(event.data) as MigrationResponse);
    });
    source.addEventListener('end', () => source.close());
    // The browser reconnects by itself, except after an error response. The query then loads and shows the
    // error.
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED)
        void queryClient.invalidateQueries({ queryKey: migrationKeys.one(migrationId) });
    });
    return () => source.close();
  }, [migrationId, isRunning, queryClient]);
}
