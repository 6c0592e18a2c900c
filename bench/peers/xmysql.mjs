// @ts-check
import { join } from 'node:path';

/** @typedef {import('./peer.mjs').Peer} Peer */

/**
 * A peer whose pages have at most 100 rows.
 * @type {Peer}
 */
export const xmysql = {
  name: 'xmysql',
  packages: ['xmysql@0.5.1'],
  cases: ['one-by-id', 'list-20', 'create', 'update'],
  path: '/api',
  key: null,
  toRequest(request) {
    const [path = '', query = ''] = request.path.split('?');
    if (query === '') return request;
    const requested = new URLSearchParams(query);
    return {
      ...request,
      path: `${path}?_where=(id,lt,${requested.get('id__lt')})&_sort=${requested.get('sort')}&_size=${requested.get('limit')}`,
    };
  },
  countRows: (text) => JSON.parse(text).length,
  start: ({ folder, port, database }) => ({
    args: [
      join(folder, 'node_modules/xmysql/bin/index.js'),
      '-h',
      database.host,
      '-o',
      String(database.port),
      '-u',
      database.user,
      '-p',
      database.password,
      '-d',
      database.name,
      '-n',
      String(port),
      '-r',
      '127.0.0.1',
    ],
    env: {},
  }),
};
