/**
 * The screens by URL, with the names of their modules below `routes`. The build lists the files of each
 * screen, so that the browser loads them together with the page. A test compares this table with the router.
 */
export const SCREEN_MODULES: Readonly<Record<string, readonly string[]>> = {
  '/login': ['sign-in'],
  '/signup': ['sign-up'],
  '/forgot': ['forgot-password'],
  '/reset/$token': ['reset-password'],
  '/verify/$token': ['verify-email'],
  '/account': ['account'],
  '/clone/$token': ['clone'],
  '/invitations/$token': ['invitation'],
  '/projects': ['projects'],
  ...inProject({
    '': 'overview',
    '/data': 'data',
    '/data/$table': 'data',
    '/query': 'query',
    '/synonyms': 'synonyms',
    '/backups': 'backups',
    '/schema': 'schema',
    '/migrations': 'migrations',
    '/migrations/$migrationId': 'migration',
    '/connect': 'connect',
    '/keys': 'keys',
    '/api': 'api',
    '/api/$table': 'api',
    '/code': 'code',
    '/logs': 'logs',
    '/usage': 'usage',
    '/team': 'team',
    '/settings': 'settings',
  }),
};

function inProject(pages: Readonly<Record<string, string>>): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(pages).map(([path, name]) => [
      `/projects/$projectId/$environment${path}`,
      ['project-layout', name],
    ]),
  );
}

/** Returns the control API calls that a screen makes first. Screens for anonymous users make none. */
export function listFirstCalls(path: string): string[] {
  if (!/^\/(account|clone|invitations|projects)(\/|$)/.test(path)) return [];
  if (path === '/projects') return ['/api/me', '/api/projects'];
  return path.startsWith('/projects/') ? ['/api/me', '/api/projects/$projectId'] : ['/api/me'];
}
