import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { ApiError } from './data/client/api-error.js';
import { projectQuery, sortDatabases } from './data/projects/queries.js';
import { sessionQuery } from './data/session/queries.js';
import { readDataSearch } from './features/rows/data-search.js';
import { AppFrame } from './features/shell/app-frame.js';
import { NotFoundScreen } from './routes/not-found.js';
import { ScreenFailure } from './routes/screen-failure.js';
import { ScreenSkeleton } from './routes/screen-skeleton.js';

interface RouterContext {
  readonly queryClient: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFoundScreen });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects', replace: true });
  },
});

const signUp = createRoute({ getParentRoute: () => root, path: '/signup', component: lazyRouteComponent(() => import('./routes/sign-up.js'), 'SignUpScreen') });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): { next?: string } => (isOwnPath(search['next']) ? { next: search['next'] } : {}),
  component: lazyRouteComponent(() => import('./routes/sign-in.js'), 'SignInScreen'),
});

/** Only a path of this console may follow on sign-in, never another host. */
function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: AppFrame,
  beforeLoad: async ({ context, location }) => {
    await context.queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) throw redirect({ to: '/login', search: { next: location.href } });
      throw error;
    });
  },
});

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  validateSearch: readCreate,
  component: lazyRouteComponent(() => import('./routes/projects.js'), 'ProjectsScreen'),
});

const clone = createRoute({ getParentRoute: () => signedIn, path: '/clone/$token', component: lazyRouteComponent(() => import('./routes/clone.js'), 'CloneScreen') });

function readCreate(search: Record<string, unknown>): { create?: boolean } {
  return search['create'] === true ? { create: true } : {};
}

/** A project without an environment goes to development, else to the first there is. */
const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  beforeLoad: async ({ context, params }) => {
    const found = await context.queryClient.ensureQueryData(projectQuery(params.projectId));
    const environment = sortDatabases(found.databases)[0]?.environment ?? 'development';
    throw redirect({ to: '/projects/$projectId/$environment', params: { ...params, environment }, replace: true });
  },
});

const room = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/$environment',
  component: lazyRouteComponent(() => import('./routes/project-layout.js'), 'ProjectLayout'),
});

const overview = createRoute({ getParentRoute: () => room, path: '/', component: lazyRouteComponent(() => import('./routes/overview.js'), 'OverviewScreen') });
const schema = createRoute({ getParentRoute: () => room, path: '/schema', component: lazyRouteComponent(() => import('./routes/schema.js'), 'SchemaScreen') });
const migrations = createRoute({
  getParentRoute: () => room,
  path: '/migrations',
  validateSearch: (search): { of?: 'all' } => (search['of'] === 'all' ? { of: 'all' } : {}),
  component: lazyRouteComponent(() => import('./routes/migrations.js'), 'MigrationsScreen'),
});
const migration = createRoute({ getParentRoute: () => room, path: '/migrations/$migrationId', component: lazyRouteComponent(() => import('./routes/migration.js'), 'MigrationScreen') });
const keys = createRoute({ getParentRoute: () => room, path: '/keys', validateSearch: readCreate, component: lazyRouteComponent(() => import('./routes/keys.js'), 'KeysScreen') });
const connect = createRoute({
  getParentRoute: () => room,
  path: '/connect',
  validateSearch: (search): { tab?: 'direct' | 'mcp' | 'docs' } => (search['tab'] === 'direct' || search['tab'] === 'mcp' || search['tab'] === 'docs' ? { tab: search['tab'] } : {}),
  component: lazyRouteComponent(() => import('./routes/connect.js'), 'ConnectScreen'),
});
const api = createRoute({ getParentRoute: () => room, path: '/api', component: lazyRouteComponent(() => import('./routes/api.js'), 'ApiScreen') });
const apiTable = createRoute({ getParentRoute: () => room, path: '/api/$table', component: lazyRouteComponent(() => import('./routes/api.js'), 'ApiScreen') });
const data = createRoute({ getParentRoute: () => room, path: '/data', component: lazyRouteComponent(() => import('./routes/data.js'), 'DataScreen') });
const dataTable = createRoute({ getParentRoute: () => room, path: '/data/$table', validateSearch: readDataSearch, component: lazyRouteComponent(() => import('./routes/data.js'), 'DataScreen') });
const words = createRoute({ getParentRoute: () => room, path: '/words', component: lazyRouteComponent(() => import('./routes/words.js'), 'WordsScreen') });
const settings = createRoute({ getParentRoute: () => room, path: '/settings', component: lazyRouteComponent(() => import('./routes/settings.js'), 'SettingsScreen') });

const routeTree = root.addChildren([
  home,
  signUp,
  signIn,
  signedIn.addChildren([clone, projects, project, room.addChildren([overview, schema, migrations, migration, keys, connect, api, apiTable, data, dataTable, words, settings])]),
]);

/** The map of addresses to screens. Each screen is a chunk of its own, fetched when first needed. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: ScreenSkeleton,
    defaultPendingMs: 150,
    defaultErrorComponent: ScreenFailure,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
