import type { MigrationResponse } from '@rowhouse/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { migrationKeys } from './queries.js';

/**
 * Updates `migrationQuery` with events from the server until the migration has ended. Each event contains the
 * whole migration, so no information is lost when the browser reconnects.
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
    // The browser reconnects by itself, except after an error response. In that case the query is loaded, and
    // its error is shown.
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED)
        void queryClient.invalidateQueries({ queryKey: migrationKeys.one(migrationId) });
    });
    return () => source.close();
  }, [migrationId, isRunning, queryClient]);
}
