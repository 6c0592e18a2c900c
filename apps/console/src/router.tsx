import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import {
  account,
  clone,
  forgot,
  home,
  invitation,
  project,
  projects,
  reset,
  page,
  root,
  signedIn,
  signIn,
  signUp,
  verify,
} from './frame-routes.js';
import { PAGE_ROUTES } from './page-routes.js';
import { NotFoundScreen } from './routes/lazy-not-found.js';
import { ScreenFailure } from './routes/screen-failure.js';
import { ScreenSkeleton } from './routes/screen-skeleton.js';

const routeTree = root.addChildren([
  home,
  signUp,
  signIn,
  forgot,
  reset,
  verify,
  signedIn.addChildren([account, clone, invitation, projects, project, page.addChildren(PAGE_ROUTES)]),
]);

/** Maps URLs to screens. Each screen is a separate chunk that is loaded on demand. */
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
    defaultNotFoundComponent: NotFoundScreen,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
