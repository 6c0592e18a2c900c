// @ts-check
import { join } from 'node:path';

/** @typedef {import('./peer.mjs').Peer} Peer */

const KEY = 'bench-token-of-nobody-else';

/** Relationships would have to be told to it first. @type {Peer} */
export const directus = {
  name: 'directus',
  packages: ['directus@11.13.4'],
  cases: ['one-by-id', 'list-20', 'list-1000', 'like', 'create', 'update'],
  isApart: true,
  path: '/items',
  key: KEY,
  toRequest(request) {
    const [path = '', query = ''] = request.path.split('?');
    if (query === '') return request;
    const asked = new URLSearchParams(query);
    const below = asked.get('id__lt');
    const filter = below === null ? `filter[username][_starts_with]=${(asked.get('username__like') ?? '').replace('%', '')}` : `filter[id][_lt]=${below}`;
    return { ...request, path: `${path}?${filter}&sort=${asked.get('sort')}&limit=${asked.get('limit')}` };
  },
  countRows(text) {
    const { data } = JSON.parse(text);
    return Array.isArray(data) ? data.length : 1;
  },
  start({ folder, port, database }) {
    const cli = join(folder, 'node_modules/directus/cli.js');
    return {
      before: [[cli, 'bootstrap']],
      args: [cli, 'start'],
      env: {
        HOST: '127.0.0.1', PORT: String(port), KEY: 'bench', SECRET: 'bench-secret-of-nobody-else', ADMIN_EMAIL: 'bench@example.com', ADMIN_PASSWORD: 'bench-password', ADMIN_TOKEN: KEY,
        DB_CLIENT: 'mysql', DB_HOST: database.host, DB_PORT: String(database.port), DB_DATABASE: database.name, DB_USER: database.user, DB_PASSWORD: database.password,
        CACHE_ENABLED: 'false', RATE_LIMITER_ENABLED: 'false', TELEMETRY: 'false', LOG_LEVEL: 'error', EXTENSIONS_PATH: join(folder, 'extensions'), STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
      },
    };
  },
};
