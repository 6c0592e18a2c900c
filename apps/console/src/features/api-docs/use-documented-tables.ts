import type { DatabaseAnswer } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { livePathsQuery, liveTablesQuery } from '../../data/gateway/queries.js';
import { useHeldSecret } from '../../data/keys/key-vault.js';
import type { TableView } from '../../data/schema/read-tables.js';
import { workingSchemaQuery } from '../../data/schema/queries.js';

export interface DocumentedTables {
  readonly tables: readonly TableView[];
  /** Where they were read: the live database, or the draft cut down to the live paths. */
  readonly source: 'live' | 'draft';
}

/**
 * The tables to document. With a key of this tab they come from the live database, as that key sees it;
 * without one from the draft, less the tables that the public API description does not hold.
 */
export function useDocumentedTables(database: DatabaseAnswer) {
  const held = useHeldSecret(database.id);
  const live = useQuery(liveTablesQuery(database, held?.secret ?? null));
  const paths = useQuery(livePathsQuery(database));
  const draft = useQuery(workingSchemaQuery(database.project_id));
  const isPending = draft.isPending || live.isLoading || paths.isLoading;
  return { isPending, error: draft.error, retry: draft.refetch, documented: pickTables(live.data, paths.data, draft.data?.tables) };
}

function pickTables(live: readonly TableView[] | null | undefined, paths: readonly string[] | null | undefined, draft: readonly TableView[] | undefined): DocumentedTables | null {
  if (live) return { tables: live, source: 'live' };
  if (draft === undefined) return null;
  return { tables: paths ? draft.filter((table) => paths.includes(table.path)) : draft, source: 'draft' };
}
