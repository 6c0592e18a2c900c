// @ts-check
/**
 * Defines the positions of a value in a call. Each position builds a request around the value.
 * @typedef {object} HostileRequest strings hold bytes, one per character
 * @property {string} method
 * @property {string} target
 * @property {[string, string][]} headers
 * @property {string | null} body
 * @typedef {object} Value the same value in the forms that positions need
 * @property {string} url a part of a URL
 * @property {string} json the text inside the quotes of a JSON string; for JSON classes the bare value
 * @property {string} header
 * @typedef {object} Position
 * @property {string} name
 * @property {'url' | 'body' | 'header'} where
 * @property {(value: Value) => HostileRequest} make
 * @property {string} fit a valid value, with which the request reaches the planner
 */

const PREFIX = '/v1/-';

/** @param {string} target @param {[string, string][]} [headers] @returns {HostileRequest} */
const get = (target, headers = []) => ({ method: 'GET', target: `${PREFIX}${target}`, headers, body: null });

/**
 * Creates a write that is rolled back, so that no row may change whatever happens.
 * @param {string} method
 * @param {string} target
 * @param {string} body
 * @param {[string, string][]} [headers]
 * @returns {HostileRequest}
 */
const write = (method, target, body, headers = [['Prefer', 'tx=rollback']]) => ({
  method,
  target: `${PREFIX}${target}`,
  headers: [...headers, ['Content-Type', 'application/json']],
  body,
});

/** @param {string} target @param {string} body @returns {HostileRequest} */
const postJson = (target, body) => ({
  method: 'POST',
  target: `${PREFIX}${target}`,
  headers: [['Content-Type', 'application/json']],
  body,
});

/**
 * @param {string} name
 * @param {(url: string) => HostileRequest} make
 * @param {string} fit
 * @returns {Position}
 */
const inUrl = (name, make, fit) => ({ name, where: 'url', make: ({ url }) => make(url), fit });
/**
 * @param {string} name
 * @param {(json: string) => HostileRequest} make
 * @param {string} fit
 * @returns {Position}
 */
const inBody = (name, make, fit) => ({ name, where: 'body', make: ({ json }) => make(json), fit });
/**
 * @param {string} name
 * @param {(header: string) => HostileRequest} make
 * @param {string} fit
 * @returns {Position}
 */
const inHeader = (name, make, fit) => ({ name, where: 'header', make: ({ header }) => make(header), fit });

const POST = '"content":"c","user_id":1';

/** @type {readonly Position[]} */
export const TEXT_PLACES = [
  inUrl('path-table', (v) => get(`/${v}?limit=1`), 'posts'),
  inUrl('path-raw-table', (v) => get(`/_tables/${v}?limit=1`), 'post_tags'),
  inUrl('path-key', (v) => get(`/posts/${v}`), '1'),
  inUrl('path-composite-key', (v) => get(`/post-tags/1,${v}`), '1'),
  inUrl('path-key-of-a-write', (v) => write('PATCH', `/posts/${v}`, '{"title":"x"}'), '1'),
  inUrl('path-behind-key', (v) => get(`/posts/1${v}`), ''),
  inUrl('filter-value', (v) => get(`/posts?title=${v}`), 'x'),
  inUrl('filter-number', (v) => get(`/posts?id__gte=${v}`), '1'),
  inUrl('filter-date', (v) => get(`/posts?created_at__after=${v}`), '2024-01-01'),
  inUrl('filter-list', (v) => get(`/things?name__in=${v}`), 'a,b'),
  inUrl('filter-pattern', (v) => get(`/posts?title__like=${v}`), 'a%25'),
  inUrl('filter-typed', (v) => get(`/things?amount=${v}`), '1.5'),
  inUrl('filter-column', (v) => get(`/posts?${v}=1`), 'id'),
  inUrl('filter-operator', (v) => get(`/posts?id__${v}=1`), 'gt'),
  inUrl('filter-path', (v) => get(`/posts?user.${v}=1`), 'id'),
  inUrl('filter-relationship', (v) => get(`/posts?${v}.id=1`), 'user'),
  inUrl('filter-json-path', (v) => get(`/things?data-%3E${v}=1`), 'a'),
  inUrl('filter-json-value', (v) => get(`/things?data__json_contains=${v}`), '1'),
  inUrl('filter-area', (v) => get(`/things?place__within=${v}`), '0,0,1,1'),
  inUrl('filter-regex', (v) => get(`/things?name__regex=${v}`), 'a'),
  inUrl('filter-full-text', (v) => get(`/things?_q=${v}`), 'words'),
  inUrl('filter-tree', (v) => get(`/posts?_filter=${v}`), '%7B%22id%22%3A1%7D'),
  inUrl('filter-tree-value', (v) => get(`/posts?_filter=%7B%22title%22%3A%22${v}%22%7D`), 'x'),
  inUrl('filter-tree-key', (v) => get(`/posts?_filter=%7B%22${v}%22%3A1%7D`), 'id'),
  inUrl('where', (v) => get(`/posts?where=${v}`), 'id%3D1'),
  inUrl('where-literal', (v) => get(`/posts?where=title%20%3D%20'${v}'`), 'x'),
  inUrl('where-column', (v) => get(`/posts?where=${v}%20%3D%201`), 'id'),
  inUrl('created-after', (v) => get(`/posts?created_after=${v}`), '2024-01-01'),
  inUrl('sort', (v) => get(`/posts?sort=${v}`), '-id'),
  inUrl('order', (v) => get(`/posts?order=${v}`), 'desc'),
  inUrl('page', (v) => get(`/posts?page=${v}`), '1'),
  inUrl('limit', (v) => get(`/posts?limit=${v}`), '1'),
  inUrl('offset', (v) => get(`/posts?_offset=${v}`), '1'),
  inUrl('cursor', (v) => get(`/posts?_cursor=${v}`), ''),
  inUrl('select', (v) => get(`/posts?_select=${v}`), 'id'),
  inUrl('omit', (v) => get(`/posts?_omit=${v}`), 'id'),
  inUrl('distinct', (v) => get(`/posts?_distinct=${v}`), 'user_id'),
  inUrl('include', (v) => get(`/posts?include=${v}`), 'user'),
  inUrl('include-path', (v) => get(`/posts?include=user&include[${v}][_select]=id`), 'user'),
  inUrl('include-option', (v) => get(`/posts?include=comments&include[comments][${v}]=1`), 'limit'),
  inUrl('include-value', (v) => get(`/posts?include=comments&include[comments][sort]=${v}`), '-id'),
  inUrl('aggregate', (v) => get(`/posts?_aggregate=${v}`), 'count'),
  inUrl('group', (v) => get(`/posts?_aggregate=count&_group=${v}`), 'user_id'),
  inUrl('having', (v) => get(`/posts?_aggregate=count&_having=${v}`), '%7B%22count%22%3A1%7D'),
  inUrl('count', (v) => get(`/posts?_count=${v}`), 'exact'),
  inUrl('explain', (v) => get(`/posts?_explain=${v}`), 'true'),
  inUrl('unknown-parameter', (v) => get(`/posts?id=1&${v}`), 'limit=1'),
  inUrl(
    'on-conflict',
    (v) => write('POST', `/users?_on_conflict=${v}`, '{"username":"h","email":"h@example.test"}'),
    'email',
  ),
  inUrl('write-filter', (v) => write('PATCH', `/posts?title=${v}`, '{"title":"x"}'), 'x'),
  inUrl('delete-filter', (v) => write('DELETE', `/comments?content=${v}`, ''), 'x'),
  inUrl('stream-filter', (v) => get(`/posts?title=${v}`, [['Accept', 'application/x-ndjson']]), 'x'),
  inUrl('schema-format', (v) => get(`/schema?format=${v}`), 'sql'),

  inBody('body-value', (v) => write('POST', '/posts', `{"title":"${v}",${POST}}`), 'x'),
  inBody('body-number', (v) => write('POST', '/posts', `{"title":"x","content":"c","user_id":"${v}"}`), '1'),
  inBody('body-typed', (v) => write('POST', '/things', `{"name":"n","amount":"${v}"}`), '1.5'),
  inBody('body-date', (v) => write('POST', '/things', `{"name":"n","at":"${v}"}`), '2024-01-01T00:00:00'),
  inBody('body-key', (v) => write('POST', '/posts', `{"${v}":"x",${POST}}`), 'title'),
  inBody('body-json-column', (v) => write('POST', '/things', `{"name":"n","data":{"${v}":"${v}"}}`), 'x'),
  inBody(
    'body-place',
    (v) => write('POST', '/things', `{"name":"n","place":{"type":"${v}","coordinates":[1,2]}}`),
    'Point',
  ),
  inBody('body-label', (v) => write('POST', '/things', `{"name":"n","kind":"${v}"}`), 'small'),
  inBody('body-e-mail', (v) => write('POST', '/users', `{"username":"h","email":"${v}"}`), 'h@example.test'),
  inBody('update-value', (v) => write('PUT', '/posts/1', `{"title":"${v}"}`), 'x'),
  inBody(
    'nested-value',
    (v) => write('POST', '/posts', `{"title":"x",${POST},"comments":[{"content":"${v}","user_id":1}]}`),
    'x',
  ),
  inBody(
    'nested-key',
    (v) => write('POST', '/posts', `{"title":"x",${POST},"${v}":[{"content":"c","user_id":1}]}`),
    'comments',
  ),
  inBody(
    'batch-path',
    (v) => write('POST', '/_batch', `{"operations":[{"method":"GET","path":"${v}"}]}`),
    '/posts?limit=1',
  ),
  inBody(
    'batch-method',
    (v) => write('POST', '/_batch', `{"operations":[{"method":"${v}","path":"/posts?limit=1"}]}`),
    'GET',
  ),
  inBody(
    'batch-value',
    (v) =>
      write(
        'POST',
        '/_batch',
        `{"operations":[{"method":"PATCH","path":"/posts/1","body":{"title":"${v}"}}]}`,
      ),
    'x',
  ),
  inBody(
    'batch-reference',
    (v) =>
      write(
        'POST',
        '/_batch',
        `{"operations":[{"method":"GET","path":"/users/1"},{"method":"PATCH","path":"/posts/1","body":{"user_id":{"$ref":"${v}"}}}]}`,
      ),
    '0.id',
  ),
  inBody('search-value', (v) => postJson('/_search/posts', `{"title":"${v}"}`), 'x'),
  inBody('search-key', (v) => postJson('/_search/posts', `{"${v}":1}`), 'id'),
  inBody('search-where', (v) => postJson('/_search/posts', `{"where":"${v}"}`), 'id = 1'),
  inBody('search-select', (v) => postJson('/_search/posts', `{"_select":["${v}"]}`), 'id'),
  inBody(
    'search-tree',
    (v) =>
      postJson(
        '/_search/posts',
        `{"_filter":{"or":[{"title__contains":"${v}"},{"user":{"username":"${v}"}}]}}`,
      ),
    'x',
  ),
  inBody('query', (v) => postJson('/query', `{"query":"${v}"}`), 'SELECT 1 AS one'),
  inBody(
    'query-literal',
    (v) => postJson('/query', `{"query":"SELECT id FROM posts WHERE title = '${v}'"}`),
    'x',
  ),
  inBody('query-name', (v) => postJson('/query', `{"query":"SELECT ${v} FROM posts"}`), 'id'),
  inBody('query-table', (v) => postJson('/query', `{"query":"SELECT * FROM ${v}"}`), 'posts'),
  inBody('query-tail', (v) => postJson('/query', `{"query":"SELECT id FROM posts ${v}"}`), 'LIMIT 1'),
  inBody(
    'query-parameter',
    (v) => postJson('/query', `{"query":"SELECT id FROM posts WHERE title = ?","params":["${v}"]}`),
    'x',
  ),
  inBody(
    'query-member',
    (v) => postJson('/query', `{"query":"SELECT 1 AS one","mode":"sql","${v}":1}`),
    'limit',
  ),
  inBody(
    'import-ndjson',
    (v) => ({
      ...write('POST', '/posts', `{"title":"${v}",${POST}}\n`, [['Prefer', 'tx=rollback']]),
      headers: [
        ['Prefer', 'tx=rollback'],
        ['Content-Type', 'application/x-ndjson'],
      ],
    }),
    'x',
  ),
  inBody(
    'import-csv',
    (v) => ({
      ...write('POST', '/tags', `name,description\n"${v}",x\n`, []),
      headers: [
        ['Prefer', 'tx=rollback'],
        ['Content-Type', 'text/csv'],
      ],
    }),
    'x',
  ),

  inHeader('authorization', (v) => get('/posts?limit=1', [['Authorization', `Bearer ${v}`]]), '$KEY'),
  inHeader('api-key', (v) => get('/posts?limit=1', [['X-API-Key', v]]), '$KEY'),
  inHeader('if-none-match', (v) => get('/posts/1', [['If-None-Match', v]]), '"x"'),
  inHeader(
    'if-match',
    (v) =>
      write('PATCH', '/posts/1', '{"title":"x"}', [
        ['Prefer', 'tx=rollback'],
        ['If-Match', v],
      ]),
    '*',
  ),
  inHeader(
    'idempotency-key',
    (v) =>
      write('PATCH', '/posts/1', '{"title":"x"}', [
        ['Prefer', 'tx=rollback'],
        ['Idempotency-Key', v],
      ]),
    'k1',
  ),
  inHeader('prefer', (v) => write('PATCH', '/posts/1', '{}', [['Prefer', v]]), 'nonsense=1'),
  inHeader('accept', (v) => get('/posts?limit=1', [['Accept', v]]), '*/*'),
  inHeader('accept-encoding', (v) => get('/posts?limit=1', [['Accept-Encoding', v]]), 'identity'),
  inHeader(
    'content-type',
    (v) => ({ ...postJson('/_search/posts', '{"limit":1}'), headers: [['Content-Type', v]] }),
    'application/json',
  ),
  inHeader('origin', (v) => get('/posts?limit=1', [['Origin', v]]), 'https://a.example'),
  inHeader('request-id', (v) => get('/posts?limit=1', [['X-Request-Id', v]]), 'a1'),
  inHeader('cookie', (v) => get('/posts?limit=1', [['Cookie', v]]), 'a=b'),
  inHeader('unknown-header', (v) => get('/posts?limit=1', [['X-Whatever', v]]), 'x'),
];

/**
 * Positions of a bare JSON value.
 * @type {readonly Position[]}
 */
export const JSON_PLACES = [
  inBody('json-body', (v) => write('POST', '/tags', v), '{"name":"hostile"}'),
  inBody('json-body-item', (v) => write('POST', '/tags', `[{"name":"h1"},${v}]`), '{"name":"h2"}'),
  inBody('json-member', (v) => write('POST', '/posts', `{"title":${v},${POST}}`), '"x"'),
  inBody('json-number', (v) => write('POST', '/things', `{"name":"n","amount":${v}}`), '1.5'),
  inBody('json-boolean', (v) => write('POST', '/posts', `{"title":"x","published":${v},${POST}}`), 'true'),
  inBody('json-column', (v) => write('POST', '/things', `{"name":"n","data":${v}}`), '{"a":1}'),
  inBody(
    'json-place',
    (v) => write('POST', '/things', `{"name":"n","place":${v}}`),
    '{"type":"Point","coordinates":[1,2]}',
  ),
  inBody('json-update', (v) => write('PATCH', '/posts/1', v), '{"title":"x"}'),
  inBody('json-update-member', (v) => write('PATCH', '/posts/1', `{"user_id":${v}}`), '{"$inc":0}'),
  inBody('json-change-many', (v) => write('PATCH', '/posts?id=1', v), '{"title":"x"}'),
  inBody(
    'json-nested',
    (v) => write('POST', '/posts', `{"title":"x",${POST},"comments":${v}}`),
    '[{"content":"c","user_id":1}]',
  ),
  inBody(
    'json-batch',
    (v) => write('POST', '/_batch', v),
    '{"operations":[{"method":"GET","path":"/posts?limit=1"}]}',
  ),
  inBody(
    'json-operations',
    (v) => write('POST', '/_batch', `{"operations":${v}}`),
    '[{"method":"GET","path":"/posts?limit=1"}]',
  ),
  inBody(
    'json-operation-body',
    (v) => write('POST', '/_batch', `{"operations":[{"method":"PATCH","path":"/posts/1","body":${v}}]}`),
    '{"title":"x"}',
  ),
  inBody('json-search', (v) => postJson('/_search/posts', v), '{"limit":1}'),
  inBody('json-search-member', (v) => postJson('/_search/posts', `{"id":${v}}`), '1'),
  inBody('json-search-tree', (v) => postJson('/_search/posts', `{"_filter":${v}}`), '{"id":1}'),
  inBody('json-search-list', (v) => postJson('/_search/posts', `{"id__in":${v}}`), '[1,2]'),
  inBody('json-query', (v) => postJson('/query', v), '{"query":"SELECT 1 AS one"}'),
  inBody('json-query-text', (v) => postJson('/query', `{"query":${v}}`), '"SELECT 1 AS one"'),
  inBody(
    'json-query-parameters',
    (v) => postJson('/query', `{"query":"SELECT ? AS one","params":${v}}`),
    '[1]',
  ),
  inBody(
    'json-query-parameter',
    (v) => postJson('/query', `{"query":"SELECT ? AS one","params":[${v}]}`),
    '1',
  ),
  inBody('json-query-limit', (v) => postJson('/query', `{"query":"SELECT 1 AS one","limit":${v}}`), '1'),
  inBody(
    'json-line',
    (v) => ({
      ...write('POST', '/tags', `${v}\n`),
      headers: [
        ['Prefer', 'tx=rollback'],
        ['Content-Type', 'application/x-ndjson'],
      ],
    }),
    '{"name":"h"}',
  ),
  inUrl('json-filter-tree', (v) => get(`/posts?_filter=${v}`), '%7B%22id%22%3A1%7D'),
  inUrl('json-filter-member', (v) => get(`/posts?_filter=%7B%22title%22%3A${v}%7D`), '%22x%22'),
  inUrl('json-having', (v) => get(`/posts?_aggregate=count&_having=${v}`), '%7B%22count%22%3A1%7D'),
  inUrl('json-contains', (v) => get(`/things?data__json_contains=${v}`), '1'),
  inUrl('json-list', (v) => get(`/posts?id__in=${v}`), '%5B1%5D'),
  inUrl(
    'json-include-tree',
    (v) => get(`/posts?include=comments&include[comments][_filter]=${v}`),
    '%7B%22id%22%3A1%7D',
  ),
];
