import type { DatabaseAnswer } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { deployedSchemaQuery } from '../../data/schema/queries.js';

/** The tables to document: those that the database runs now, whatever the draft says. */
export function useDocumentedTables(database: DatabaseAnswer) {
  const live = useQuery(deployedSchemaQuery(database));
  return { isPending: live.isPending && database.state === 'ready', error: live.error, retry: live.refetch, tables: live.data?.tables ?? null, snapshot: live.data?.snapshot ?? null };
}
