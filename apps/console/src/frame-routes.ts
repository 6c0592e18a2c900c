import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { ApiError } from './data/client/api-error.js';
import { projectQuery, sortDatabases } from './data/projects/queries.js';
import { sessionQuery } from './data/session/queries.js';
import { AppFrame } from './features/shell/app-frame.js';
import { lazyScreen } from './lazy-screen.js';
import { FirstScreen } from './routes/first-screen.js';
import { UnknownAddressScreen } from './routes/lazy-not-found.js';

export interface RouterContext {
  readonly queryClient: QueryClient;
}

export const root = createRootRouteWithContext<RouterContext>()({
  component: FirstScreen,
  notFoundComponent: UnknownAddressScreen,
});

export const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects', replace: true });
  },
});

/** Reads the path to open after sign-in or sign-up. */
function readNext(search: Record<string, unknown>): { next?: string } {
  return isOwnPath(search['next']) ? { next: search['next'] } : {};
}

export const signUp = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  validateSearch: readNext,
  component: lazyScreen(() => import('./routes/account/sign-up.js'), 'SignUpScreen'),
});

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): { next?: string; deleted?: true } => ({
    ...readNext(search),
    ...(search['deleted'] === true ? { deleted: true } : {}),
  }),
  component: lazyScreen(() => import('./routes/account/sign-in.js'), 'SignInScreen'),
});

export const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: lazyScreen(() => import('./routes/account/forgot-password.js'), 'ForgotPasswordScreen'),
});
export const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset/$token',
  component: lazyScreen(() => import('./routes/account/reset-password.js'), 'ResetPasswordScreen'),
});
export const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify/$token',
  component: lazyScreen(() => import('./routes/account/verify-email.js'), 'VerifyEmailScreen'),
});

/**
 * Returns whether a path belongs to this console. A URL on another host is rejected, so that a link cannot
 * redirect users there.
 */
function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}

export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: AppFrame,
  beforeLoad: async ({ context, location }) => {
    await context.queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: '/login', search: { next: location.href } });
      throw error;
    });
  },
});

export const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  validateSearch: readCreate,
  component: lazyScreen(() => import('./routes/projects.js'), 'ProjectsScreen'),
});

export const clone = createRoute({
  getParentRoute: () => signedIn,
  path: '/clone/$token',
  component: lazyScreen(() => import('./routes/account/clone.js'), 'CloneScreen'),
});

export const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyScreen(() => import('./routes/account/account.js'), 'AccountScreen'),
});

export const invitation = createRoute({
  getParentRoute: () => signedIn,
  path: '/invitations/$token',
  component: lazyScreen(() => import('./routes/account/invitation.js'), 'InvitationScreen'),
});

/** Reads `?create=true`, which opens the dialog for creating an object. */
export function readCreate(search: Record<string, unknown>): { create?: boolean } {
  return search['create'] === true ? { create: true } : {};
}

/**
 * The route of a project without an environment. It redirects to development, or to the project's first
 * environment.
 */
export const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  beforeLoad: async ({ context, params }) => {
    const found = await context.queryClient.ensureQueryData(projectQuery(params.projectId));
    const environment = sortDatabases(found.databases)[0]?.environment ?? 'development';
    throw redirect({
      to: '/projects/$projectId/$environment',
      params: { ...params, environment },
      replace: true,
    });
  },
});

export const page = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/$environment',
  component: lazyScreen(() => import('./routes/project-layout.js'), 'ProjectLayout'),
});
