import { TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DatabaseResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { useTableSearch, type TableListProps } from '../shell/use-table-search.js';
import classes from './api-docs.module.css';
import { deployedSchemaQuery } from '../../data/schema/queries.js';

/** The number of tables from which on a search field is shown. */
const SEARCHED_MIN = 12;
const SHOWN_MAX = 300;

/** Links to the documented tables by name. */
export function TableIndex({ location, tables, current }: TableListProps) {
  const { typed, setTyped, found } = useTableSearch(tables);
  return (
    <div className={classes.index}>
      {tables.length < SEARCHED_MIN ? null : (
        <TextInput
          size="xs"
          type="search"
          aria-label="Search tables"
          placeholder={`Search ${tables.length} tables`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <nav aria-label="Tables" className={classes.names}>
        {found.slice(0, SHOWN_MAX).map((entry) => (
          <Link
            key={entry.name}
            to="/projects/$projectId/$environment/api/$table"
            params={{ ...location, table: entry.name }}
            aria-current={entry.name === current ? 'page' : undefined}
          >
            {entry.name}
          </Link>
        ))}
      </nav>
      {found.length === 0 ? (
        <p className={classes.source} role="status">
          No matching tables.
        </p>
      ) : found.length > SHOWN_MAX ? (
        <p className={classes.source}>{found.length - SHOWN_MAX} more. Search to find them.</p>
      ) : null}
    </div>
  );
}

/**
 * Returns the tables to document. They come from the live schema, because the data API does not serve tables
 * of the draft.
 */
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
