import { useParams } from '@tanstack/react-router';
import type { PreloadQueries } from '../../data/preload-queries.js';
import { useHeldSecret } from '../../data/keys/key-vault.js';
import { deployedSchemaQuery } from '../../data/schema/queries.js';
import classes from '../../features/api-docs/api-docs.module.css';
import { KeyChoice } from '../../features/api-docs/operation-view.js';
import { OpenApiMenu } from '../../features/api-docs/open-api-menu.js';
import { TableIndex, useDocumentedTables } from '../../features/api-docs/table-index.js';
import { TableReference } from '../../features/api-docs/table-reference.js';
import { QuickKeyButton } from '../../features/keys/quick-key-button.js';
import { NoTables } from '../../features/shell/no-tables.js';
import { useCurrentDatabase } from '../../features/shell/current-database.js';
import { headingOf } from '../../first/page-headings.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { RenderInOrder } from '../../ui/loading/render-in-order.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { Page } from '../../ui/layout/page.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { DocsLink } from '../../features/api-docs/docs-link.js';

const WAITING = <SkeletonRows rows={6} height={40} />;

export const preloadQueries: PreloadQueries = (queryClient, database) =>
  void queryClient.prefetchQuery(deployedSchemaQuery(database));

/** The API reference of a database by table. */
export function ApiScreen() {
  const { project, database } = useCurrentDatabase();
  const { table: requested } = useParams({ strict: false });
  const held = useHeldSecret(database.id);
  const { isPending, error, retry, tables: live, snapshot } = useDocumentedTables(database);
  const location = { projectId: project.id, environment: database.environment };
  const tables = live ?? [];
  const table =
    requested === undefined ? tables[0] : tables.find((candidate) => candidate.name === requested);
  const docsLink = database.settings.docs_enabled ? (
    <DocsLink database={database} label="Interactive docs" />
  ) : undefined;
  return (
    <Page
      {...headingOf('api', database.environment)}
      documentTitle={table ? `${table.name} API` : 'API reference'}
      actions={
        <>
          {held === null ? <QuickKeyButton database={database} /> : <KeyChoice databaseId={database.id} />}
          <OpenApiMenu database={database} />
          {docsLink}
        </>
      }
    >
      {isPending ? WAITING : null}
      {error ? (
        <ErrorNotice title="Couldn’t load the tables" error={error} onRetry={() => void retry()} />
      ) : null}
      {!isPending && live && tables.length === 0 ? (
        <NoTables location={location} purpose="create endpoints for its tables." />
      ) : null}
      {!isPending && tables.length > 0 ? (
        <Later instead={WAITING}>
          <div className={classes.columns}>
            <TableIndex location={location} tables={tables} current={table?.name} />
            <div className={classes.column}>
              <RenderInOrder>
                {table ? (
                  <TableReference key={table.name} database={database} table={table} />
                ) : (
                  <EmptyState
                    title={`There’s no table ${requested ?? ''} in ${database.environment}`}
                    action={
                      <ButtonLink to="/projects/$projectId/$environment/schema" params={location}>
                        Open schema
                      </ButtonLink>
                    }
                  >
                    It may still be in the draft, or it was dropped.
                  </EmptyState>
                )}
                <p className={classes.source}>
                  Shows the live schema (version {snapshot}). Draft changes aren’t included.
                </p>
              </RenderInOrder>
            </div>
          </div>
        </Later>
      ) : null}
    </Page>
  );
}
