import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useEffect } from 'react';
import type { PreloadQueries } from '../../data/preload-queries.js';
import { liveSchemaQuery } from '../../data/rows/queries.js';
import { readDataSearch } from '../../features/rows/data-search.js';
import classes from '../../features/rows/rows.module.css';
import { TableWorkspace } from '../../features/rows/table-workspace.js';
import { TableSideBar } from '../../features/rows/table-side-bar.js';
import { NoTables } from '../../features/shell/no-tables.js';
import { useCurrentDatabase } from '../../features/shell/current-database.js';
import { headingOf } from '../../first/page-headings.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { Page } from '../../ui/layout/page.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';

const WAITING = (
  <div className={classes.padded}>
    <SkeletonRows rows={9} height={26} />
  </div>
);

export const preloadQueries: PreloadQueries = (queryClient, database) =>
  void queryClient.prefetchQuery(liveSchemaQuery(database));

/** The page with the rows of a database, one table at a time. It first shows the first table. */
export function DataScreen() {
  const { project, database } = useCurrentDatabase();
  const { table: requested } = useParams({ strict: false });
  const search = readDataSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const schema = useQuery(liveSchemaQuery(database));
  // A deferred value lets React render the response in slices.
  const live = useDeferredValue(schema.data);
  const location = { projectId: project.id, environment: database.environment };
  const tables = live?.tables ?? [];
  const table =
    requested === undefined ? tables[0] : tables.find((candidate) => candidate.name === requested);
  const name = table?.name;
  useEffect(() => {
    document.title = `${name ?? 'Data'} · Rowhouse`;
  }, [name]);
  const onSearch = useCallback(
    (change: object, replace = false) => {
      void navigate({
        to: '.',
        search: (old: object) => readDataSearch({ ...old, ...change }),
        replace,
      } as never);
    },
    [navigate],
  );
  if (schema.isLoading || (schema.data !== undefined && live === undefined))
    return (
      <Page {...headingOf('data', database.environment)}>
        <SkeletonRows rows={8} height={32} />
      </Page>
    );
  if (schema.isError)
    return (
      <Page title="Data">
        <ErrorNotice
          title="Couldn’t load the tables"
          error={schema.error}
          onRetry={() => void schema.refetch()}
        />
      </Page>
    );
  if (tables.length === 0) {
    return (
      <Page title="Data">
        <NoTables location={location} purpose="see its tables here." />
      </Page>
    );
  }
  return (
    <div className={classes.page}>
      <TableSideBar location={location} tables={tables} current={name} />
      {table ? (
        <Later key={`${database.id} ${table.name}`} instead={WAITING}>
          <TableWorkspace
            database={database}
            location={location}
            schema={live ?? { tables: [], scopes: [] }}
            table={table}
            search={search}
            onSearch={onSearch}
          />
        </Later>
      ) : (
        <div className={classes.padded}>
          <h1 className="rh-spoken">Data</h1>
          <EmptyState
            title={`There’s no table ${requested ?? ''} in ${database.environment}`}
            action={
              <ButtonLink to="/projects/$projectId/$environment/data" params={location}>
                Open first table
              </ButtonLink>
            }
          >
            It may still be in the draft, or it was dropped.
          </EmptyState>
        </div>
      )}
    </div>
  );
}
