import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { PreloadQueries } from '../../data/preload-queries.js';
import { liveSchemaQuery } from '../../data/rows/queries.js';
import { QueryWorkspace } from '../../features/query/query-workspace.js';
import { useCurrentDatabase } from '../../features/shell/current-database.js';
import { headingOf } from '../../first/page-headings.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { Page } from '../../ui/layout/page.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { Tag } from '../../ui/layout/tag.js';

const route = getRouteApi('/signed-in/projects/$projectId/$environment/query');

const WAITING = <SkeletonRows rows={5} height={44} />;

export const preloadQueries: PreloadQueries = (queryClient, database) =>
  void queryClient.prefetchQuery(liveSchemaQuery(database));

/** The page for questions and SQL statements. Each saved query has its own URL. */
export function QueryScreen() {
  const { database } = useCurrentDatabase();
  const { saved } = route.useSearch();
  const navigate = route.useNavigate();
  const schema = useQuery(liveSchemaQuery(database));
  return (
    <Page
      {...headingOf('query', database.environment)}
      actions={
        database.environment === 'production' ? (
          <Tag tone="brick" dot>
            production
          </Tag>
        ) : undefined
      }
    >
      {schema.isLoading ? WAITING : null}
      <QueryErrorNotice title="Couldn’t load the tables" query={schema} />
      {schema.data ? (
        <Later key={database.id} instead={WAITING}>
          <QueryWorkspace
            database={database}
            schema={schema.data}
            savedId={saved}
            onSaved={(id) => void navigate({ search: id === undefined ? {} : { saved: id }, replace: true })}
          />
        </Later>
      ) : null}
    </Page>
  );
}
