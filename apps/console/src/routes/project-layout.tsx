import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { ApiError } from '../data/client/api-error.js';
import { projectQuery } from '../data/projects/queries.js';
import { CurrentDatabaseContext } from '../features/shell/current-database.js';
import { EmptyState } from '../ui/notices/empty-state.js';
import { ErrorNotice } from '../ui/notices/error-notice.js';
import { Later } from '../ui/loading/lazy-part.js';
import { ButtonLink } from '../ui/layout/links.js';
import { Page } from '../ui/layout/page.js';
import { NotFoundScreen } from './lazy-not-found.js';
import { ScreenSkeleton } from './screen-skeleton.js';

const route = getRouteApi('/signed-in/projects/$projectId/$environment');

/** Loads the project and the database for all pages of a project. */
export function ProjectLayout() {
  const { projectId, environment } = route.useParams();
  const found = useQuery(projectQuery(projectId));
  if (found.isPending) return <ScreenSkeleton />;
  if (found.data === undefined) {
    if (found.error instanceof ApiError && found.error.status === 404) return <NotFoundScreen />;
    return (
      <Page title="Project">
        <ErrorNotice
          title="Couldn’t load the project"
          error={found.error}
          onRetry={() => void found.refetch()}
        />
      </Page>
    );
  }
  const database = found.data.databases.find((candidate) => candidate.environment === environment);
  if (!database) {
    return (
      <Page title={found.data.name}>
        <EmptyState
          title={`No ${environment} environment`}
          action={
            <ButtonLink to="/projects/$projectId" params={{ projectId }}>
              Open project
            </ButtonLink>
          }
        >
          This project has no environment called {environment}.
        </EmptyState>
      </Page>
    );
  }
  return (
    <CurrentDatabaseContext value={{ project: found.data, database }}>
      <Later instead={<ScreenSkeleton />}>
        <Outlet key={database.id} />
      </Later>
    </CurrentDatabaseContext>
  );
}
