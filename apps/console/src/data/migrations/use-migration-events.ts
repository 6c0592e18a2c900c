import type { MigrationAnswer } from '@rowhouse/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { migrationKeys } from './keys.js';

/**
 * Keeps `migrationQuery` current by the server's events, from when this is shown until the migration has ended. Each
 * event carries the whole migration, so a connection that broke and came again has missed nothing.
 */
export function useMigrationEvents(migrationId: string, isRunning: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isRunning) return undefined;
    const source = new EventSource(`/api/migrations/${encodeURIComponent(migrationId)}/events`);
    source.addEventListener('migration', (event: MessageEvent<string>) => {
      queryClient.setQueryData(migrationKeys.one(migrationId), JSON.parse(event.data) as MigrationAnswer);
    });
    source.addEventListener('end', () => source.close());
    // The browser tries again by itself unless it was refused; a refusal shows in the query.
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) void queryClient.invalidateQueries({ queryKey: migrationKeys.one(migrationId) });
    });
    return () => source.close();
  }, [migrationId, isRunning, queryClient]);
}
