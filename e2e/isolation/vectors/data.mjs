// @ts-check
/**
 * Attempts against the data API with a limited key: tables that it does not have, a hidden column, verbs that
 * it may not use.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../../support/control.mjs';
import { openApi, send } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { attempt } from '../attempt.mjs';

/** @typedef {import('../attempt.mjs').Isolation} Isolation */

/** Reads that would show the vault's pins. */
const VAULT_READS = [
  '/vault',
  '/vault/1',
  '/vault?limit=1',
  '/vault?sort=-id',
  '/vault?pin__like=pin%25',
  '/vault?_select=pin',
  '/vault?_group=pin&_aggregate=count',
  '/vault?_aggregate=max:pin',
  '/vault?_distinct=pin',
  '/vault?_cursor=',
  '/vault?include=users',
  '/vault?user_id=1',
  '/vault?_filter=%7B%22pin__like%22%3A%22pin%25%22%7D',
  '/vault?id__in=1,2,3',
  '/vault?page=1&limit=5',
  '/users?include=vault',
  '/users/1?include=vault',
  '/users?include=vault&include[vault][limit]=5',
  '/users?include=posts,vault',
  '/posts?include=users.vault',
  '/comments?include=users.vault',
  '/users?include=vault&include[vault][_select]=pin',
];
/**
 * Reads whose number of records would reveal the vault or the hidden column.
 * @type {readonly string[]}
 */
const DESCRIBING_PATHS = [
  '/users?vault.pin__like=pin%25',
  '/users?_filter=%7B%22vault%22%3A%7B%22pin__like%22%3A%22pin%25%22%7D%7D',
  '/posts?users.vault.pin__like=pin%25',
  '/users?_filter=%7B%22vault%22%3A%7B%22count__gte%22%3A1%7D%7D',
  '/users?shadow__like=shadow%25',
  '/users?shadow__isnull=false',
  '/users?_filter=%7B%22shadow__like%22%3A%22shadow%25%22%7D',
  '/posts?users.shadow__like=shadow%25',
  '/comments?users.shadow__like=shadow%25',
  '/users?sort=shadow',
  '/users?sort=-shadow',
  '/users?_group=shadow&_aggregate=count',
  '/users?_aggregate=max:shadow',
  '/users?_distinct=shadow',
  '/users?_select=shadow',
  '/users?_select=id,shadow',
  '/posts?include=users&include[users][_select]=shadow',
  '/users?shadow=x',
  '/users?shadow__in=a,b',
  '/users?shadow__ne=x',
  '/users?include=count:vault',
  '/users/1?include=count:vault',
  '/posts?include=count:user.vault',
  '/users?include=n:count:vault&include[n][pin__like]=pin%25',
  '/users?include=n:count:posts&include[n][user.shadow__like]=shadow%25',
  '/users?include=n:count:posts&include[n][where]=user.shadow%20is%20not%20null',
];
/**
 * Writes that the limited key must not perform. The same requests would succeed with a key that may write.
 * @type {readonly (readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>])[]}
 */
const WRITES = [
  ['POST', '/users', { username: '{u}', email: '{u}@example.test' }],
  [
    'POST',
    '/users',
    [
      { username: '{u}a', email: '{u}a@example.test' },
      { username: '{u}b', email: '{u}b@example.test' },
    ],
  ],
  ['POST', '/users?_on_conflict=email', { username: '{u}', email: '{u}@example.test' }],
  ['POST', '/tags', { name: 'tag {u}' }],
  ['PUT', '/users/1', { bio: 'changed {u}' }],
  ['PATCH', '/users/1', { bio: 'changed {u}' }],
  ['PUT', '/users?id=1', { bio: 'changed {u}' }],
  ['PATCH', '/posts/1', { content: 'changed {u}' }],
  ['POST', '/vault', { pin: 'put {u}' }],
  ['PATCH', '/vault/1', { user_id: 1 }],
  ['DELETE', '/vault?id=999999'],
  ['DELETE', '/comments?id=999999'],
  ['POST', '/_batch', { operations: [{ method: 'POST', path: '/tags', body: { name: 'batch {u}' } }] }],
  ['POST', '/_batch', { operations: [{ method: 'GET', path: '/vault' }] }],
  ['POST', '/_batch', { operations: [{ method: 'PATCH', path: '/users/1', body: { bio: 'batch {u}' } }] }],
  ['POST', '/tags', 'name\ntag {u}\n', { 'Content-Type': 'text/csv' }],
  ['POST', '/tags', '{"name":"tag {u}"}\n', { 'Content-Type': 'application/x-ndjson' }],
  ['POST', '/tags', { name: 'once {u}' }, { 'Idempotency-Key': 'once-{u}' }],
  ['POST', '/_search/vault', {}],
  ['PATCH', '/users/1', { shadow: 'seen {u}' }],
];

/**
 * Sends a call with the limited key.
 * @param {Isolation} s
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 */
function ask(s, method, path, body, headers) {
  return openApi(s.base, s.limited).call(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
  });
}

const READS = VAULT_READS.map((path) =>
  attempt('rights of a key', ['rights'], `GET ${path}`, async (s) =>
    (await ask(s, 'GET', path)).text.includes(`pin ${s.attacker.canary}`),
  ),
);
const STREAMED = [
  '/vault',
  '/vault?limit=1',
  '/vault?sort=-id',
  '/vault?pin__like=pin%25',
  '/vault?_select=pin',
  '/vault?_distinct=pin',
].flatMap((path) =>
  ['text/csv', 'application/x-ndjson'].map((type) =>
    attempt('rights of a key', ['rights'], `GET ${path} as ${type}`, async (s) => {
      const response = await ask(s, 'GET', path, undefined, { Accept: type });
      return response.text.includes(`pin ${s.attacker.canary}`);
    }),
  ),
);
const DESCRIBED = DESCRIBING_PATHS.map((path) =>
  attempt(
    'rights of a key',
    ['rights'],
    `GET ${path}`,
    async (s) => (await ask(s, 'GET', path)).status === 200,
  ),
);
const WRITTEN = WRITES.map(([method, path, body, headers]) =>
  attempt(
    'rights of a key',
    ['rights', 'scope'],
    `${method} ${path} ${JSON.stringify(body ?? '').slice(0, 60)}`,
    async (s) => {
      const unique = s.unique();
      const fill = (/** @type {unknown} */ value) =>
        typeof value === 'string'
          ? value.replaceAll('{u}', unique)
          : JSON.parse(JSON.stringify(value).replaceAll('{u}', unique));
      const response = await ask(
        s,
        method,
        path,
        body === undefined ? undefined : fill(body),
        headers === undefined ? undefined : fill(headers),
      );
      return response.status < 300;
    },
  ),
);

/** Keys that are no longer valid, or are valid for others. */
const KEYS = [
  attempt('keys', ['key state'], 'a revoked key', async (s) => {
    const key = await createKey(s.victim.person, { name: 'ended' });
    await s.victim.person.control.call('DELETE', `/api/keys/${key.id}`);
    return (await openApi(s.base, key.secret).get('/vault')).text.includes(s.victim.canary);
  }),
  attempt('keys', ['key state'], 'a revoked key that a gateway had cached', async (s) => {
    const key = await createKey(s.victim.person, { name: 'known' });
    const api = openApi(s.base, key.secret);
    await api.get('/vault');
    await s.victim.person.control.call('DELETE', `/api/keys/${key.id}`);
    await waitFor('the revocation has arrived', async () => true);
    return waitFor('an answer that stays', async () => {
      const first = await api.get('/vault');
      await sleep(300);
      const second = await api.get('/vault');
      return first.status === second.status ? { isIn: second.text.includes(s.victim.canary) } : undefined;
    }).then(({ isIn }) => isIn);
  }),
  ...['/vault', '/users', '/schema', '/openapi.json'].map((path) =>
    attempt('keys', ['key end'], `an expired key for ${path}`, async (s) => {
      const key = await createKey(s.victim.person, {
        name: 'short',
        expires_at: new Date(Date.now() + 400).toISOString(),
      });
      await sleep(700);
      return (await openApi(s.base, key.secret).get(path)).status === 200;
    }),
  ),
  ...['https://evil.example', 'http://localhost:1', 'null', 'https://app.example.evil'].map((origin) =>
    attempt('keys', ['origin'], `a key for another origin than ${origin}`, async (s) => {
      const key = await createKey(s.victim.person, { name: 'page', origins: ['https://app.example'] });
      return (await openApi(s.base, key.secret).get('/vault', { Origin: origin })).status === 200;
    }),
  ),
  ...['/query', '/schema', '/openapi.json', '/users'].map((path) =>
    attempt(
      'keys',
      path === '/users' ? ['rights', 'scope'] : ['scope'],
      `a key without the scope for ${path}`,
      async (s) => {
        const key = await createKey(s.attacker.person, {
          name: 'narrow',
          scopes: [path === '/users' || path === '/query' ? 'schema' : 'read'],
        });
        const api = openApi(s.base, key.secret);
        return (path === '/query' ? await api.query('SELECT 1') : await api.get(path)).status === 200;
      },
    ),
  ),
];

/**
 * Cursors from another tenant's list, and manipulated cursors.
 * @type {readonly (readonly [name: string, make: (s: Isolation) => Promise<string>, path: string])[]}
 */
const PLACES = [
  ['of another tenant', async (s) => nextCursor(s.victim.api, '/users?limit=1&_cursor='), '/users?limit=1'],
  ['of another table', async (s) => nextCursor(s.attacker.api, '/posts?limit=1&_cursor='), '/users?limit=1'],
  [
    'of another sort',
    async (s) => nextCursor(s.attacker.api, '/users?limit=1&sort=-id&_cursor='),
    '/users?limit=1',
  ],
  [
    'of another filter',
    async (s) => nextCursor(s.attacker.api, '/users?limit=1&id__gt=0&_cursor='),
    '/users?limit=1',
  ],
  [
    'with another place',
    async (s) =>
      `${Buffer.from('["next","0"]').toString('base64url')}.${(await nextCursor(s.attacker.api, '/users?limit=1&_cursor=')).split('.')[1]}`,
    '/users?limit=1',
  ],
  [
    'of another tenant and table',
    async (s) => nextCursor(s.victim.api, '/posts?limit=1&_cursor='),
    '/tags?limit=1',
  ],
];
const CURSORS = PLACES.map(([name, make, path]) =>
  attempt('cursors', ['cursors'], `a cursor ${name}`, async (s) => {
    const cursor = await make(s);
    if (cursor === '') throw new Error('no cursor to begin with');
    return (await s.attacker.api.get(`${path}&_cursor=${encodeURIComponent(cursor)}`)).status === 200;
  }),
);

/** @param {import('../../support/http.mjs').Api} api @param {string} path */
async function nextCursor(api, path) {
  return String((await api.get(path)).headers['x-next-cursor'] ?? '');
}

/** Published documents, such as the OpenAPI document and the docs page. */
const DOCUMENTS = [
  ...['/v1/-/docs/', '/v1/-/openapi/'].flatMap((path) => [
    attempt('documents', ['documents'], `${path} of a database that publishes no documents`, async (s) => {
      const { person: user } = s.victim;
      const slug = user.development.docs_slug;
      await user.control.call('PATCH', `/api/databases/${user.development.id}`, {
        settings: { docs_enabled: false },
      });
      const response = await waitFor('the switch has arrived', async () => {
        const found = await send(s.base, 'GET', `${path}${slug}`);
        return found.status === 404 || s.isDown('documents') ? found : undefined;
      });
      return response.status === 200;
    }),
    attempt('documents', ['hidden columns of documents'], `a hidden column in ${path}`, async (s) => {
      const slug = s.attacker.person.development.docs_slug;
      return (await send(s.base, 'GET', `/v1/-/openapi/${slug}`)).text.includes('shadow');
    }),
  ]),
  ...['/openapi.json', '/schema', '/schema?format=sql'].flatMap((path) =>
    ['vault', 'shadow'].map((word) =>
      attempt('documents', ['rights'], `${word} in ${path} of a key without it`, async (s) =>
        (await ask(s, 'GET', path)).text.includes(word),
      ),
    ),
  ),
];

/**
 * Forged records that an attacker with access to Redis stores. A gateway that has not cached the key reads
 * them.
 */
const CACHES = ['of the victim', 'of the victim, older', 'with every right', 'of an open end'].map((what) =>
  attempt('caches', ['signed records'], `a key's record ${what}`, (s) => s.forgeRecord(what)),
);

/** Idempotency keys that the victim has already used for a write. */
const ONCE = ['tags', 'users', 'users?_on_conflict=email'].map((table) =>
  attempt('idempotency', ['side schema'], `POST /${table} under the victim's Idempotency-Key`, async (s) => {
    const key = `same-${s.unique()}-${randomBytes(4).toString('hex')}`;
    const path = `/${table}`;
    const body = table === 'tags' ? { name: `tag ${key}` } : { username: key, email: `${key}@example.test` };
    const mine = await s.victim.api.call('POST', path, { body, headers: { 'Idempotency-Key': key } });
    await s.lendIdempotency(key);
    const theirs = await s.attacker.api.call('POST', path, { body, headers: { 'Idempotency-Key': key } });
    return theirs.headers['idempotent-replayed'] === 'true' && theirs.text === mine.text;
  }),
);

export const DATA = [
  ...READS,
  ...STREAMED,
  ...DESCRIBED,
  ...WRITTEN,
  ...KEYS,
  ...CURSORS,
  ...DOCUMENTS,
  ...CACHES,
  ...ONCE,
];
