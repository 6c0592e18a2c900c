/**
 * The screens by their addresses, each with its modules below `routes`: the build tells the server which files a screen begins
 * with, so that the browser fetches them along with the page instead of one after the other. A test holds it against the router.
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
    '/words': 'words',
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

function inProject(rooms: Readonly<Record<string, string>>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(rooms).map(([path, name]) => [`/projects/$projectId/$environment${path}`, ['project-layout', name]]));
}

/** What a screen asks of the control plane before anything else; who is not signed in yet asks nothing. */
export function listFirstCalls(path: string): string[] {
  if (!/^\/(account|clone|invitations|projects)(\/|$)/.test(path)) return [];
  if (path === '/projects') return ['/api/me', '/api/projects'];
  return path.startsWith('/projects/') ? ['/api/me', '/api/projects/$projectId'] : ['/api/me'];
}
