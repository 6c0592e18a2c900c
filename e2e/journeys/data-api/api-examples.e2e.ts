import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '@rowhouse/errors';
import { rootDir } from '@rowhouse/local/paths';
import { FILTER_OPERATORS, QUERY_CONTROLS } from '@rowhouse/schema-model';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareExampleDatabase } from '../../examples/example-database.mjs';
import { compareResponse, runExample } from '../../examples/run-example.mjs';
import { findRowsWithoutExample, listLinks, readPage, type Example } from '../../examples/read-examples.mjs';
import { encodeTarget, parseResponse, parseRequest } from '../../examples/parse-example.mjs';
import { send } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

const PAGES = [
  ...readdirSync(join(rootDir, 'docs/api'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/api/${name}`),
  'docs/coming-from.md',
]
  .filter((path) => existsSync(join(rootDir, path)))
  .map(readPage);

/** Groups the examples by section, in the order of the page. */
function listSections(examples: readonly Example[]): [string, Example[]][] {
  return [...new Set(examples.map((example) => example.section))].map((section) => [
    section,
    examples.filter((example) => example.section === section),
  ]);
}

/** The names of all headers in responses to the examples. */
const sentHeaders = new Set<string>();

describe('the examples of the data API', () => {
  let database: Awaited<ReturnType<typeof prepareExampleDatabase>>;

  beforeAll(async () => {
    database = await prepareExampleDatabase(readProduct());
  });

  describe.each(PAGES.filter((page) => page.examples.length > 0).map((page) => [page.path, page] as const))(
    '%s',
    (_, page) => {
      describe.each(listSections(page.examples))('%s', (_section, examples) => {
        const cache = new Map<string, string>();
        beforeAll(async () => {
          for (const [name, value] of database.variables()) cache.set(name, value);
          await database.resetRows();
        });
        // The examples run in order, because one may use what an earlier one created.
        it.each(examples.map((example) => [example.where, example] as const))(
          'the documented request returns the documented response: %s',
          async (where, example) => {
            expect(
              await runExample(database.base, example, cache, sentHeaders),
              `${where}: ${example.request}`,
            ).toEqual([]);
          },
        );
      });
    },
  );
});

describe('the pages of the data API', () => {
  it.each(PAGES.map((page) => [page.path, page] as const))(
    'every request in %s has a documented response, and every link works',
    (_, page) => {
      expect(page.loose).toEqual([]);
      expect(findRowsWithoutExample(page)).toEqual([]);
      expect(listLinks(page).filter((target) => !existsSync(target))).toEqual([]);
    },
  );
});

/** Headers that need no example, because every response or only the interactive docs page has them. */
const SELF_EVIDENT = new Set([
  'content-security-policy',
  'referrer-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'content-type',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'x-content-type-options',
  'transfer-encoding',
  'accept-ranges',
  'access-control-allow-methods',
  'access-control-allow-headers',
]);
/** Statuses in the error table that the data API of this version never returns. */
const NOT_ANSWERED = new Set([502]);

describe('the examples of docs/api', () => {
  const examples = PAGES.filter((page) => page.path.startsWith('docs/api/')).flatMap((page) => page.examples);
  const requests = examples.map((example) => parseRequest(example.request));
  const answers = examples.map((example) => parseResponse(example.answer));
  const targets = requests.map((request) => request.target);
  const pages = PAGES.map((page) => page.text).join('\n');

  it('the data API docs show every parameter and operator of the grammar', () => {
    const isShown = (control: string): boolean =>
      targets.some((target) => new RegExp(`[?&]${control}=`).test(target));
    expect(QUERY_CONTROLS.filter((control) => !isShown(control))).toEqual([]);
    expect(
      FILTER_OPERATORS.filter(
        (operator) =>
          !targets.some((target) => target.includes(`__${operator}=`)) &&
          !new RegExp(`^\\|[^|]*\`${operator}\`[^|]*\\|`, 'm').test(pages),
      ),
    ).toEqual([]);
  });

  it('the data API docs show every header that the gateway accepts, exposes or has sent', async () => {
    const visible = new Set(
      [...requests, ...answers].flatMap((part) => part.headers.map(([name]) => name.toLowerCase())),
    );
    const { headers } = await send(readProduct().gateways[0], 'OPTIONS', '/v1/-/posts');
    const messages =
      `${String(headers['access-control-allow-headers'])}, ${String(headers['access-control-expose-headers'])}`
        .toLowerCase()
        .split(', ');
    expect(messages.length).toBeGreaterThan(20);
    expect(
      [...new Set([...messages, ...sentHeaders])].filter(
        (name) => !visible.has(name) && !SELF_EVIDENT.has(name),
      ),
    ).toEqual([]);
  });

  it('the data API docs list every status of the error codes', () => {
    const text = readFileSync(join(rootDir, 'docs/api/headers-and-statuses.md'), 'utf8');
    const statuses = [200, 201, 204, 304, ...Object.values(ERROR_CODES).map((entry) => entry.status)].filter(
      (status) => !NOT_ANSWERED.has(status),
    );
    expect([...new Set(statuses)].filter((status) => !text.includes(`\n| ${status} |`))).toEqual([]);
  });

  it('the data API docs show every column type', () => {
    const types = readFileSync(join(rootDir, 'docs/api/types.md'), 'utf8');
    const words = [
      'TINYINT',
      'SMALLINT',
      'MEDIUMINT',
      'INT',
      'BIGINT',
      'DECIMAL',
      'FLOAT',
      'DOUBLE',
      'BIT',
      'BOOLEAN',
      'YEAR',
      'CHAR',
      'VARCHAR',
      'TEXT',
      'ENUM',
      'SET',
      'UUID',
      'INET4',
      'INET6',
      'BINARY',
      'VARBINARY',
      'BLOB',
      'DATE',
      'DATETIME',
      'TIMESTAMP',
      'TIME',
      'JSON',
      'GEOMETRY',
    ];
    expect(words.filter((word) => !new RegExp(`^\\| [^|]*\\b${word}\\b[^|]* \\|`, 'm').test(types))).toEqual(
      [],
    );
  });
});

describe('the reader of examples', () => {
  it('the parser of docs examples reads the notation of docs/api/README.md', () => {
    expect(
      parseRequest('PATCH /posts/7?a=b c  If-Match: "1.x"  Prefer: return=minimal  {"title":"a  b"}'),
    ).toEqual({
      method: 'PATCH',
      target: '/posts/7?a=b c',
      headers: [
        ['If-Match', '"1.x"'],
        ['Prefer', 'return=minimal'],
      ],
      body: '{"title":"a  b"}',
    });
    expect(parseResponse('204')).toEqual({ status: 204, headers: [], body: null });
    expect(encodeTarget('/posts?title__like=a%&where=id >= 1')).toBe(
      '/posts?title__like=a%25&where=id%20%3E%3D%201',
    );
    expect(encodeTarget('$BASE/posts?title=%zz')).toBe('/posts?title=%zz');
  });

  it('the docs check reports each difference between a response and its example', () => {
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/json', etag: '"1.abc"' },
      text: '[{"id":1,"n":1.50,"t":"ab"},{"id":2}]',
      json: undefined,
    };
    const compare = (message: string): string[] => compareResponse(parseResponse(message), answer, new Map());
    for (const right of [
      '200',
      '200  [{"id":1,…},…]',
      '200  ETag: "1.…"  [{"t":"a…","n":1.50,"id":1},{"id":2}]',
      '200  …',
      '200  [{"id":$ID,…},{"id":2}]',
    ])
      expect(compare(right), right).toEqual([]);
    for (const wrong of [
      '201',
      '200  []',
      '200  [{"id":1},…]',
      '200  [{"id":1,"n":1.5,"t":"ab"},…]',
      '200  [{"id":1,…}]',
      '200  ETag: "2.…"',
      '200  X-None: …',
      '200  {"id":1,…}',
      '200  [{"id":1,"t":"b…",…},…]',
    ]) {
      expect(compare(wrong).length, wrong).toBeGreaterThan(0);
    }
    const cache = new Map<string, string>();
    compareResponse(parseResponse('200  ETag: $TAG  [{"id":$ID,…},…]'), answer, cache);
    expect([...cache]).toEqual([
      ['TAG', '"1.abc"'],
      ['ID', '1'],
    ]);
  });
});
