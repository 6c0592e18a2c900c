// @ts-check
import { createKey, deploy, expectStatus, signUp } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { waitFor } from '../support/wait.mjs';
import { readPage } from './read-examples.mjs';

/** The pages that describe the tables and rows of the examples. */
const PAGES = ['docs/api/README.md', 'docs/api/types.md'];

const GUARDED_TABLE = 'contracts';

/**
 * Creates a database with the tables of docs/api, and the keys that its examples use.
 * @param {{ control: string, gateways: readonly string[] }} product
 */
export async function prepareExampleDatabase(product) {
  const text = PAGES.map((path) => readPage(path).text).join('\n');
  const user = await signUp(product.control, { name: 'docs', starter: 'empty' });
  await deploy(user, readFences(text, 'sql').join('\n'));
  const settings = await user.control.call('PATCH', `/api/databases/${user.development.id}`, {
    settings: { hidden_columns: { users: ['password_hash'] }, require_if_match: [GUARDED_TABLE] },
  });
  expectStatus(settings, [200], 'hide a column, guard a table');
  /** @type {[string, any][]} */
  const rows = readFences(text, 'json rows').flatMap((fence) => Object.entries(JSON.parse(fence)));
  const [base = ''] = product.gateways;
  const api = openApi(base, user.key);
  const [last = ['']] = rows.slice(-1);
  for (const gateway of product.gateways)
    await waitFor(
      'the tables are served',
      async () => (await openApi(gateway, user.key).get(toPath(last[0]))).status === 200,
    );
  await waitFor(
    'the column is hidden',
    async () => !(await api.get('/schema')).text.includes('password_hash'),
  );
  const keys = await createKeys(user);
  return {
    base,
    /** Returns the values of `$NAME` at the start of a page. */
    variables: () => new Map([['KEY', user.key], ['SLUG', user.development.docs_slug], ...keys]),
    async resetRows() {
      for (const [table, [row]] of [...rows].reverse()) {
        const column = Object.keys(row)[0] ?? '';
        if (table === GUARDED_TABLE) await emptyOneByOne(api, toPath(table));
        else {
          const deletedResponse = await api.call('DELETE', `${toPath(table)}?${column}__isnull=false`, {
            headers: { Prefer: 'max-affected=10000' },
          });
          expectStatus(deletedResponse, [200], `empty ${table}`);
        }
      }
      for (const [table, list] of rows)
        expectStatus(await api.post(toPath(table), list), [201], `fill ${table}`);
    },
  };
}

/**
 * Deletes records one by one. This table needs If-Match, so a delete by filter does not work.
 * @param {import('../support/http.mjs').Api} api
 * @param {string} path
 */
async function emptyOneByOne(api, path) {
  for (const { id } of (await api.get(path)).json)
    expectStatus(
      await api.call('DELETE', `${path}/${id}`, { headers: { 'If-Match': '*' } }),
      [204],
      `empty ${path}`,
    );
}

/** @param {string} table */
function toPath(table) {
  return `/${table.replaceAll('_', '-')}`;
}

/** @param {import('../support/control.mjs').TestUser} user @returns {Promise<[string, string][]>} */
async function createKeys(user) {
  /** @type {[string, Record<string, unknown>][]} */
  const expected = [
    ['READER', { tables: { posts: ['read'], users: ['read'] } }],
    ['WRITER', { scopes: ['write'] }],
    ['SQLWRITER', { scopes: ['read', 'write', 'delete', 'query', 'query:write'] }],
    ['SLOW', { rate: { per_second: 0.01, burst: 1 } }],
    ['ELSEWHERE', { origins: ['https://app.example.com'] }],
  ];
  return Promise.all(
    expected.map(
      async ([name, body]) =>
        /** @type {[string, string]} */ ([name, (await createKey(user, { name, ...body })).secret]),
    ),
  );
}

/** @param {string} text @param {string} language */
function readFences(text, language) {
  return [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');
}
