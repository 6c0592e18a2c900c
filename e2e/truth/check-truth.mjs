// @ts-check
import { openRandom } from '@rowhouse/schema-model/testing';
import { send } from '../support/http.mjs';
import { checkResponse } from './check-response.mjs';
import { openDocument } from './open-document.mjs';
import { changesAnswer, sampleQuery } from './parameter-samples.mjs';
import { sampleValue } from './sample-value.mjs';

/**
 * @typedef {import('./open-document.mjs').Operation} Operation
 * @typedef {{ columns: readonly string[], table: string, referenced: readonly string[] }} Reference
 * @typedef {{ name: string, foreignKeys: readonly Reference[] }} TruthTable what a schema of a document
 *   cannot express: which values refer to others
 * @typedef {Record<string, any>} Row
 */

const CREATED_EACH = 4;

/**
 * Creates requests from a database's own document, for each call and each parameter in it. All of them must
 * be accepted, and the document must describe every response.
 * @param {object} options
 * @param {string} options.base the address of a gateway
 * @param {string} options.key a key with all rights
 * @param {number} options.seed
 * @param {readonly TruthTable[]} options.tables the tables, parents first
 * @param {(document: any) => any} [options.change] changes the document, to prove that a fault in it is found
 * @returns {Promise<{ requests: number, asked: Set<string>, findings: string[] }>} `requested` is the set of
 *   calls that were sent
 */
export async function checkTruth({ base, key, seed, tables, change = (document) => document }) {
  const authorization = { Authorization: `Bearer ${key}` };
  const { json } = await send(base, 'GET', '/v1/-/openapi.json', { headers: authorization });
  const opened = openDocument(change(json));
  const random = openRandom(seed, 0);
  /** @type {string[]} */
  const findings = [];
  /** @type {Set<string>} */
  const requested = new Set();
  let requests = 0;

  /**
   * @param {Operation} operation
   * @param {{ path?: string, query?: string, headers?: Record<string, string>, body?: unknown, isOther?: boolean, wanted?: number[] }} request
   */
  const sendRequest = async (
    operation,
    {
      path = operation.path,
      query = '',
      headers = {},
      body,
      isOther = false,
      wanted: expected = [200, 201, 204, 304],
    },
  ) => {
    requests += 1;
    requested.add(`${operation.method} ${operation.path}`);
    // Paths contain letters of every language without escapes.
    const address = path.replace(/[^!-~]+/g, encodeURIComponent);
    const target = query === '' ? address : `${address}?${query}`;
    const response = await send(base, operation.method, target, {
      headers: { ...authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const rejected = expected.includes(response.status)
      ? []
      : [`answered ${response.status} ${response.text.slice(0, 600)}`];
    const faults = [
      ...rejected,
      ...(rejected.length > 0 && response.status !== 422
        ? []
        : checkResponse(opened, operation, response, { isOther })),
    ];
    for (const fault of faults)
      findings.push(
        `${operation.method} ${target} ${JSON.stringify(headers)} ${JSON.stringify(body)?.slice(0, 500) ?? ''}: ${fault}`,
      );
    return response;
  };

  /**
   * The created rows by table, as the API returned them.
   * @type {Map<string, Row[]>}
   */
  const rows = new Map();
  for (const table of tables) await checkTable({ opened, random, ask: sendRequest, rows, table });
  await checkServices({ opened, ask: sendRequest });
  return { requests, asked: requested, findings };
}

/**
 * @typedef {object} Ground
 * @property {import('./open-document.mjs').OpenDocument} opened
 * @property {import('@rowhouse/schema-model/testing').Random} random
 * @property {(operation: Operation, request: { path?: string, query?: string, headers?: Record<string, string>, body?: unknown, isOther?: boolean, wanted?: number[] }) => Promise<import('../support/http.mjs').HttpResponse>} ask
 * @property {Map<string, Row[]>} rows
 * @property {TruthTable} table
 */

/** @param {Ground} ground */
async function checkTable(ground) {
  const { opened, random, ask: sendRequest, table } = ground;
  const own = opened.operations.filter((operation) => operation.tag === table.name);
  const find = (/** @type {string} */ method, /** @type {(path: string) => boolean} */ fits) =>
    own.find((operation) => operation.method === method && fits(operation.path));
  const isOne = (/** @type {string} */ path) => path.endsWith('}');
  const isSearch = (/** @type {string} */ path) => path.startsWith('/v1/-/_search/');
  const isAll = (/** @type {string} */ path) => !isOne(path) && !isSearch(path);
  const [list, create, search] = [find('GET', isAll), find('POST', isAll), find('POST', isSearch)];
  if (list === undefined || create === undefined) throw new Error(`${table.name} is not in the document`);
  const created = await createRows(ground, create, find('GET', isAll));
  ground.rows.set(table.name, created);
  const words = toWords(opened, list);
  await sendRequest(list, {});
  for (const parameter of list.parameters.filter((item) => item['in'] === 'query')) {
    const query = sampleQuery(random, parameter, words, opened.resolve);
    if (query !== null) await sendRequest(list, { query, isOther: changesAnswer(parameter['name']) });
  }
  if (search !== undefined)
    await sendRequest(search, {
      body: {
        limit: 2,
        ...(words.columns[0] === undefined
          ? {}
          : { _select: [`\`${words.columns[0][0].replaceAll('`', '``')}\``] }),
      },
      isOther: true,
    });
  const element = find('GET', isOne);
  const first = created.find(
    (row) => element !== undefined && !/(^|,)(,|$)/.test(addressOf(opened, element, row)),
  );
  if (element !== undefined && first !== undefined)
    await checkRecord(
      ground,
      own.filter((operation) => isOne(operation.path)),
      element,
      first,
    );
  await checkMany(
    ground,
    own.filter((operation) => isAll(operation.path) && ['PUT', 'PATCH', 'DELETE'].includes(operation.method)),
    words,
  );
}

/**
 * @param {Ground} ground
 * @param {Operation} create
 * @param {Operation | undefined} list
 * @returns {Promise<Row[]>}
 */
async function createRows(ground, create, list) {
  /** @type {Row[]} */
  const created = [];
  // A pattern matches columns with names that generators cannot write. It does not tell whether a create
  // needs them,
  // so rows of such a table may be missing, and rows that refer to it cannot be created.
  const lacksParent = ground.table.foreignKeys.some(
    (key) => key.table !== ground.table.name && (ground.rows.get(key.table) ?? []).length === 0,
  );
  const expected = isPartial(ground, create) || lacksParent ? [201, 409, 422] : [201, 409];
  for (let attempt = 0; attempt < CREATED_EACH; attempt += 1) {
    const isBulk = attempt === CREATED_EACH - 1;
    const body = makeBody(ground, create, false);
    // Two records may get the same unique value, for which 409 is correct.
    const response = await ground.ask(create, {
      body: isBulk ? [body, makeBody(ground, create, false)] : body,
      wanted: expected,
    });
    if (response.status === 201)
      created.push(...(Array.isArray(response.json) ? response.json : [response.json]));
  }
  // A table without a key returns only the number of created records.
  return Object.keys(created[0] ?? {}).join() === 'created' && list !== undefined
    ? (await ground.ask(list, {})).json
    : created;
}

/** @param {Ground} ground @param {Operation} operation */
function isPartial({ opened }, operation) {
  const schema = opened.resolve(operation.body ?? {});
  return opened.resolve(schema['oneOf']?.[0] ?? schema)['patternProperties'] !== undefined;
}

/**
 * Creates a body of a write. A column that refers to other rows gets the value of one of them.
 * @param {Ground} ground
 * @param {Operation} operation
 * @param {boolean} isUpdate
 * @returns {Row}
 */
function makeBody({ opened, random, rows, table }, operation, isUpdate) {
  const schema = opened.resolve(operation.body ?? {});
  const single = opened.resolve(schema['oneOf']?.[0] ?? schema['allOf']?.[0] ?? schema);
  const related = new Set(
    Object.entries(single['properties'])
      .filter(([, member]) => /Related(Records?|Changes)$/.test(member['$ref'] ?? ''))
      .map(([name]) => name),
  );
  const properties = Object.fromEntries(
    Object.entries(single['properties']).filter(
      ([name, member]) =>
        !related.has(name) &&
        !(isUpdate && String(member['description']).startsWith('The value in the path')),
    ),
  );
  /** @type {Row} */
  const body = sampleValue(random, { ...single, properties }, opened.resolve);
  for (const key of table.foreignKeys) {
    if (isUpdate && !key.columns.every((column) => column in properties)) continue;
    const parents = rows.get(key.table) ?? [];
    if (isUpdate && parents.length === 0) {
      for (const column of key.columns) delete body[column];
      continue;
    }
    const parent = random.pick(parents);
    key.columns.forEach((column, index) => {
      body[column] = parent?.[key.referenced[index] ?? ''] ?? null;
    });
  }
  return body;
}

/**
 * Returns the columns and relationships of a call that returns a record or an array of records.
 * @param {import('./open-document.mjs').OpenDocument} opened
 * @param {Operation} read
 * @returns {import('./parameter-samples.mjs').TableWords}
 */
function toWords(opened, read) {
  const answer = opened.resolve(read.responses['200'].content['application/json'].schema);
  const record = answer['type'] === 'array' ? opened.resolve(answer['items']) : answer;
  const members = Object.entries(/** @type {Record<string, any>} */ (record['properties']));
  const isRelated = (/** @type {Record<string, any>} */ schema) =>
    String(schema['description']).startsWith('Only with include=');
  return {
    columns: members.filter(([, schema]) => !isRelated(schema)),
    relationships: members
      .filter(([, schema]) => isRelated(schema))
      .map(([name, schema]) => [name, schema['type'] === 'array']),
  };
}

/** @param {Ground} ground @param {Operation[]} operations @param {Operation} read @param {Row} row */
async function checkRecord(ground, operations, read, row) {
  const { opened, ask: sendRequest, random } = ground;
  const path = read.path.replace(/\{\w+\}$/, addressOf(opened, read, row));
  const response = await sendRequest(read, { path });
  const etag = String(response.headers['etag']);
  await sendRequest(read, { path, headers: { 'If-None-Match': etag }, wanted: [304] });
  await sendRequest(read, { path, headers: { Prefer: 'numbers=string' }, isOther: true });
  const words = toWords(opened, read);
  for (const parameter of read.parameters.filter((item) => item['in'] === 'query')) {
    const query = sampleQuery(random, parameter, words, opened.resolve);
    if (query !== null) await sendRequest(read, { path, query, isOther: changesAnswer(parameter['name']) });
  }
  for (const update of operations.filter((operation) => ['PUT', 'PATCH'].includes(operation.method))) {
    await sendRequest(update, { path, body: makeUpdate(ground, update), wanted: [200, 409] });
    await sendRequest(update, {
      path,
      body: {},
      headers: {
        Prefer: 'return=minimal, tx=rollback',
        'If-Match': '*',
        'Idempotency-Key': `truth-${encodeURI(path)}-${update.method}`,
      },
      wanted: [204],
    });
    await sendRequest(update, {
      path,
      body: {},
      headers: { 'If-Match': '"0.AAAAAAAAAAAAAAAAAAAAAA"' },
      wanted: [412],
    });
  }
  const remove = operations.find((operation) => operation.method === 'DELETE');
  if (remove !== undefined)
    await sendRequest(remove, { path, headers: { Prefer: 'tx=rollback' }, wanted: [204, 409] });
}

/**
 * Creates a change that leaves references and unique numbers as they are.
 * @param {Ground} ground
 * @param {Operation} update
 * @returns {Row}
 */
function makeUpdate(ground, update) {
  const body = makeBody(ground, update, true);
  for (const [name, value] of Object.entries(body))
    if (typeof value === 'object' && value !== null && '$inc' in value) body[name] = { $inc: 0 };
  return body;
}

/**
 * Returns the path of a record, built as the path parameter of the document says.
 * @param {import('./open-document.mjs').OpenDocument} opened
 * @param {Operation} read
 * @param {Row} row
 */
function addressOf(opened, read, row) {
  const parameter = read.parameters.find((item) => item['in'] === 'path');
  const text = String(parameter?.['description']);
  const names = /The values of the key, separated by commas, in the order (.*)\.$/s.exec(text)?.[1];
  const element =
    /The UUID of the record, or its (.*)\.$/s.exec(text)?.[1] ??
    /The (.*) of the record\.$/s.exec(text)?.[1] ??
    '';
  const values = names === undefined ? [row[element]] : splitByMembers(names, row).map((name) => row[name]);
  return values.map((value) => encodeURIComponent(String(value))).join(',');
}

/**
 * Splits a list of names by commas. Names may contain commas too, so only names of members count.
 * @param {string} text
 * @param {Row} row
 * @returns {string[]}
 */
function splitByMembers(text, row) {
  if (text === '') return [];
  const name = Object.keys(row)
    .filter((member) => text === member || text.startsWith(`${member}, `))
    .sort((a, b) => b.length - a.length)[0];
  return name === undefined ? [] : [name, ...splitByMembers(text.slice(name.length + 2), row)];
}

/**
 * Checks writes by filter, which are rolled back.
 * @param {Ground} ground
 * @param {Operation[]} operations
 * @param {import('./parameter-samples.mjs').TableWords} words
 */
async function checkMany(ground, operations, words) {
  const { opened, ask: sendRequest, random } = ground;
  for (const operation of operations) {
    for (const parameter of operation.parameters.filter((item) => item['in'] === 'query')) {
      const query = sampleQuery(random, parameter, words, opened.resolve);
      const body = operation.method === 'DELETE' ? undefined : makeUpdate(ground, operation);
      if (body !== undefined && Object.keys(body).length === 0) continue;
      if (query !== null)
        await sendRequest(operation, {
          query,
          body,
          headers: {
            Prefer: `tx=rollback, max-affected=10000${random.maybe(0.5) ? ', return=representation' : ''}`,
          },
          wanted: [200, 409],
        });
    }
  }
}

/**
 * Checks the calls that do not belong to a table.
 * @param {Pick<Ground, 'opened' | 'ask'>} ground
 */
async function checkServices({ opened, ask: sendRequest }) {
  const find = (/** @type {string} */ path, method = 'GET') => {
    const found = opened.operations.find(
      (operation) => operation.path === path && operation.method === method,
    );
    if (found === undefined) throw new Error(`${method} ${path} is not in the document`);
    return found;
  };
  await sendRequest(find('/v1/-'), {});
  await sendRequest(find('/v1/-/health'), {});
  await sendRequest(find('/v1/-/health'), { headers: { Authorization: '' } });
  const documented = await sendRequest(find('/v1/-/openapi.json'), {});
  await sendRequest(find('/v1/-/openapi.json'), {
    headers: { 'If-None-Match': String(documented.headers['etag']) },
    wanted: [304],
  });
  const schema = await sendRequest(find('/v1/-/schema'), {});
  await sendRequest(find('/v1/-/schema'), {
    headers: { 'If-None-Match': String(schema.headers['etag']) },
    wanted: [304],
  });
  await sendRequest(find('/v1/-/schema'), { query: 'format=sql', isOther: true });
  await sendRequest(find('/v1/-/query'), {});
  const query = find('/v1/-/query', 'POST');
  for (const members of [
    {},
    { verbose: true },
    { array_mode: true },
    { verbose: true, array_mode: true },
    { dry_run: true },
    { limit: 1 },
    { mode: 'sql', timezone: 'Europe/Berlin', engine: 'auto' },
  ])
    await sendRequest(query, { body: { query: 'SELECT 1 AS a, NULL AS b UNION SELECT 2, 3', ...members } });
  await sendRequest(query, { body: { query: 'SELECT ? AS a', params: [1] } });
  await sendRequest(query, { body: { query: 'SELECT :x AS a', parameters: { x: 'y' } } });
  await sendRequest(query, { body: { query: 'SELECT 1', nonsense: 1 }, wanted: [422] });
  const batch = find('/v1/-/_batch', 'POST');
  await sendRequest(batch, {
    body: {
      operations: [
        {
          method: 'GET',
          path: `${opened.operations.find((operation) => operation.method === 'GET' && !operation.path.endsWith('}'))?.path.slice('/v1/-'.length)}?limit=1`,
        },
      ],
    },
    headers: { Prefer: 'numbers=string' },
  });
}
