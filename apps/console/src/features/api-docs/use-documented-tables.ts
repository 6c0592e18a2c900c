import type { DatabaseResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { deployedSchemaQuery } from '../../data/schema/queries.js';

/** Returns the tables to document, which are those of the live schema and not of the draft. */
export function useDocumentedTables(database: DatabaseResponse) {
  const live = useQuery(deployedSchemaQuery(database));
  return {
    isPending: live.isPending && database.state === 'ready',
    error: live.error,
    retry: live.refetch,
    tables: live.data?.tables ?? null,
    snapshot: live.data?.snapshot ?? null,
  };
}
