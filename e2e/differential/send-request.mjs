// @ts-check
/** Sends a request as HTTP calls, up to its last page. */
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../support/http.mjs';
import { columnOf } from './make-tables.mjs';
import { isJsonNumber, markNumbers } from './evaluate.mjs';
import { writeMoment } from './moments.mjs';

/** @typedef {import('./make-request.mjs').Request} Request */
/** @typedef {import('./make-tables.mjs').Table} Table */
/** @typedef {import('./evaluate.mjs').Condition} Condition */
/**
 * @typedef {{ calls: string[], rows: any[], total: number | null, fault: string | null, csv: string | null }}
 *   Reply `fault` says why there is no response that can be compared
 */

const PAGES_MAX = 80;
/** The maximum number of attempts. On a busy machine, a request may get 503 or 504 and is then sent again. */
const RETRIES_MAX = 5;
const BODY_OPERATORS = new Set(['year', 'month', 'day']);

/** @param {Table} table @param {readonly string[]} path */
const kindAt = (table, path) =>
  columnOf(path.length > 1 && table.maker !== null ? table.maker : table, path.at(-1) ?? '').kind;

/** @param {Condition} leaf */
function keyOf(leaf) {
  if (leaf.kind === 'exists') return `${leaf.relationship}__exists`;
  if (leaf.kind === 'columns') return `${leaf.path.join('.')}__${leaf.operator}_column`;
  if (leaf.kind === 'moment') return `${leaf.column}__${leaf.operator}`;
  if (leaf.kind !== 'compare' && leaf.kind !== 'json') throw new Error(`${leaf.kind} is no parameter`);
  const subject = leaf.kind === 'json' ? `${leaf.column}->${leaf.path}` : leaf.path.join('.');
  return leaf.operator === 'eq' ? subject : `${subject}__${leaf.operator}`;
}

/**
 * Formats the values of a condition for a URL or a body. Patterns and other texts that are no column values
 * are not changed.
 * @param {Condition} leaf
 * @param {Table} table
 * @param {'address' | 'body'} notation
 * @returns {string[]}
 */
function writeValues(leaf, table, notation) {
  if (leaf.kind === 'exists') return [String(leaf.isThere)];
  if (leaf.kind === 'columns') return [notation === 'address' ? leaf.other : JSON.stringify(leaf.other)];
  if (leaf.kind === 'moment') return [JSON.stringify({ $expr: writeMoment(leaf.moment) })];
  if (leaf.kind !== 'compare' && leaf.kind !== 'json') return [];
  if (leaf.operator === 'isnull' || BODY_OPERATORS.has(leaf.operator)) return leaf.values.map(String);
  if (leaf.kind === 'json')
    return leaf.values.map((value) =>
      notation === 'address' || isJsonNumber(value) || /^(?:true$|false$|")/.test(value)
        ? value
        : JSON.stringify(value),
    );
  const kind = kindAt(table, leaf.path);
  if (kind.isText || leaf.operator === 'on')
    return leaf.values.map((value) => (notation === 'address' ? value : JSON.stringify(value)));
  return leaf.values.map((value) => kind[notation](value));
}

const LISTS = new Set(['in', 'not_in', 'between', 'not_between']);

/** @param {Condition} leaf @param {Table} table */
function toParameter(leaf, table) {
  const isList = leaf.kind !== 'exists' && 'operator' in leaf && LISTS.has(leaf.operator);
  const text = isList
    ? `[${writeValues(leaf, table, 'body').join(',')}]`
    : (writeValues(leaf, table, 'address')[0] ?? '');
  return `${encodeURIComponent(keyOf(leaf))}=${encodeURIComponent(text)}`;
}

/** @param {Condition} condition @param {Table} table @returns {string} */
function toTree(condition, table) {
  if (condition.kind === 'and' || condition.kind === 'or')
    return `{"${condition.kind}":[${condition.of.map((item) => toTree(item, table)).join(',')}]}`;
  if (condition.kind === 'not') return `{"not":${toTree(condition.of, table)}}`;
  if (condition.kind === 'exists')
    return `{${JSON.stringify(condition.relationship)}:{${condition.isThere ? '"count__gte":1' : '"count":0'}}}`;
  const values = writeValues(condition, table, 'body');
  return `{${JSON.stringify(keyOf(condition))}:${LISTS.has(condition.operator) ? `[${values.join(',')}]` : values[0]}}`;
}

/** @type {Record<string, string>} */
const SIGNS = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** @param {Condition} condition @param {Table} table @returns {string} */
function toWhere(condition, table) {
  if (condition.kind === 'and' || condition.kind === 'or')
    return `(${condition.of.map((item) => toWhere(item, table)).join(` ${condition.kind.toUpperCase()} `)})`;
  if (condition.kind === 'not') return `NOT (${toWhere(condition.of, table)})`;
  if (condition.kind === 'columns')
    return `${condition.path.join('.')} ${SIGNS[condition.operator]} ${condition.other}`;
  if (condition.kind === 'moment')
    return `${condition.column} ${SIGNS[condition.operator]} ${writeMoment(condition.moment)}`;
  if (condition.kind !== 'compare') throw new Error('where compares columns');
  const { kind } = columnOf(table, condition.path[0] ?? '');
  const values =
    condition.operator === 'isnull'
      ? []
      : condition.values.map((value) =>
          typeof value === 'string'
            ? `'${(kind.isText ? value : kind.address(value)).replaceAll("'", "''")}'`
            : kind.address(value),
        );
  const name = condition.path[0];
  switch (condition.operator) {
    case 'isnull':
      return `${name} IS ${condition.values[0] === true ? '' : 'NOT '}NULL`;
    case 'in':
      return `${name} IN (${values.join(', ')})`;
    case 'between':
      return `${name} BETWEEN ${values[0]} AND ${values[1]}`;
    case 'like':
      return `${name} LIKE ${values[0]}`;
    default:
      return `${name} ${SIGNS[condition.operator]} ${values[0]}`;
  }
}

/** @param {Request['sort']} sort */
const toSort = (sort) =>
  sort.map(
    ({ path, isDown, nulls, json }) =>
      `${isDown ? '-' : ''}${path.join('.')}${json === undefined ? '' : `->${json}`}${nulls === null ? '' : `:nulls_${nulls}`}`,
  );

/**
 * Returns the parameters that shape a list, as pairs of a name and a list or a text.
 * @param {Request} request
 * @returns {[string, readonly string[]][]}
 */
function toControls({ sort, select, distinct, aggregate }) {
  /** @type {[string, readonly string[]][]} */
  const controls = [];
  if (sort.length > 0) controls.push(['sort', toSort(sort)]);
  if (aggregate !== null) {
    controls.push([
      '_aggregate',
      aggregate.terms.map(({ name, fn, path, json }) =>
        path === null
          ? `${name}:count`
          : `${name}:${fn}:${path.map((step) => `\`${step}\``).join('.')}${json === undefined ? '' : `->${json}`}`,
      ),
    ]);
    if (aggregate.groups.length > 0)
      controls.push([
        '_group',
        aggregate.groups.map(
          ({ name, path, part, json }) =>
            `${name}:${path.map((step) => `\`${step}\``).join('.')}${json === undefined ? '' : `->${json}`}${part === null ? '' : `:${part}`}`,
        ),
      ]);
  } else if (distinct !== null) controls.push(['_distinct', distinct]);
  else if (select !== null) controls.push(['_select', select]);
  return controls;
}

/** @param {Request} request */
function toHaving({ aggregate }) {
  const having = aggregate?.having ?? null;
  return having === null
    ? null
    : `{"${having.name}${having.operator === 'eq' ? '' : `__${having.operator}`}":${having.value}}`;
}

/** @param {Request} request @param {Table} table @returns {string[]} */
export function toParameters(request, table) {
  const having = toHaving(request);
  return [
    ...request.address.map((leaf) => toParameter(leaf, table)),
    ...(request.tree === null ? [] : [`_filter=${encodeURIComponent(toTree(request.tree, table))}`]),
    ...(request.where === null ? [] : [`where=${encodeURIComponent(toWhere(request.where, table))}`]),
    ...toControls(request).map(([name, values]) => `${name}=${encodeURIComponent(values.join(','))}`),
    ...(having === null ? [] : [`_having=${encodeURIComponent(having)}`]),
  ];
}

/** @param {Request} request @param {Table} table @param {number} page */
function toBody(request, table, page) {
  const having = toHaving(request);
  const members = request.address.map((leaf) => {
    const values = writeValues(leaf, table, 'body');
    const isList = leaf.kind !== 'exists' && 'operator' in leaf && LISTS.has(leaf.operator);
    return `${JSON.stringify(keyOf(leaf))}:${isList ? `[${values.join(',')}]` : values[0]}`;
  });
  if (request.tree !== null) members.push(`"_filter":${toTree(request.tree, table)}`);
  if (request.where !== null) members.push(`"where":${JSON.stringify(toWhere(request.where, table))}`);
  for (const [name, values] of toControls(request)) members.push(`"${name}":${JSON.stringify(values)}`);
  if (having !== null) members.push(`"_having":${having}`);
  members.push(`"page":${page}`, `"limit":${request.limit}`);
  return `{${members.join(',')}}`;
}

/** @param {Request} request @param {Table} table */
function toSql({ where, sort, select }, table) {
  const order = [
    ...sort.map(({ path, isDown }) => `${path[0]}${isDown ? ' DESC' : ''}`),
    ...(table.key ?? []).map((name) => `${name}${(sort.at(-1)?.isDown ?? false) ? ' DESC' : ''}`),
  ];
  return `SELECT ${(select ?? []).map((name) => `\`${name}\``).join(', ')} FROM ${table.name}${where === null ? '' : ` WHERE ${toWhere(where, table)}`}${order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`}`;
}

/** @param {string} base @param {string} key */
export function openSender(base, key) {
  const counts = { retries: 0 };
  /**
   * @param {string} method
   * @param {string} path
   * @param {Record<string, string>} [headers]
   * @param {string} [body]
   * @returns {Promise<import('../support/http.mjs').HttpResponse>}
   */
  const call = async (method, path, headers = {}, body) => {
    for (let remaining = RETRIES_MAX; ; remaining -= 1) {
      const response = await send(base, method, path, {
        headers: { Authorization: `Bearer ${key}`, ...headers },
        body,
        timeoutMs: 90_000,
      }).catch((/** @type {Error} */ err) => err);
      const isBusy =
        response instanceof Error ||
        response.status === 503 ||
        response.status === 504 ||
        response.status === 429;
      if (response instanceof Error ? remaining === 0 : !isBusy || remaining === 0) {
        if (response instanceof Error) throw response;
        return response;
      }
      counts.retries += 1;
      await sleep(500);
    }
  };
  return { call, counts };
}

/** @typedef {ReturnType<typeof openSender>} Sender */

/** @param {Sender} sender @param {Request} request @param {Table} table @returns {Promise<Reply>} */
export async function sendRequest(sender, request, table) {
  /** @type {Reply} */
  const reply = { calls: [], rows: [], total: null, fault: null, csv: null };
  /**
   * @param {string} method
   * @param {string} path
   * @param {Record<string, string>} [headers]
   * @param {string} [body]
   */
  const call = async (method, path, headers, body) => {
    reply.calls.push(`${method} ${path}${body === undefined ? '' : ` ${body}`}`);
    const response = await sender.call(method, path, headers, body);
    if (response.status !== 200) reply.fault = `${response.status} ${response.text.slice(0, 400)}`;
    return response;
  };
  const path = `/v1/-/${table.name.replaceAll('_', '-')}`;
  const join = (/** @type {string[]} */ parts) => `${path}?${parts.join('&')}`;
  const parameters = toParameters(request, table);
  switch (request.form) {
    case 'count': {
      const response = await call('GET', join([...parameters, '_count=exact', 'limit=0']));
      reply.total = Number(response.headers['x-total-count']);
      return reply;
    }
    case 'delete': {
      const response = await call('DELETE', join(parameters), { Prefer: 'tx=rollback, max-affected=10000' });
      reply.total = response.json?.deleted ?? null;
      return reply;
    }
    case 'ndjson':
    case 'csv': {
      const response = await call('GET', join(parameters), {
        Accept: request.form === 'csv' ? 'text/csv' : 'application/x-ndjson',
      });
      if (request.form === 'csv') reply.csv = response.text;
      else if (reply.fault === null)
        reply.rows = response.text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(markNumbers(line)));
      return reply;
    }
    case 'single': {
      const response = await call(
        'GET',
        `${path}/${keyOfRow(request, table)}?${request.select === null ? '' : `_select=${encodeURIComponent(request.select.join(','))}`}`,
      );
      reply.rows = [JSON.parse(markNumbers(response.text))];
      return reply;
    }
    case 'batch':
      return sendBatch(call, reply, request, table);
    case 'patch': {
      const response = await call(
        'PATCH',
        join(parameters),
        { Prefer: 'tx=rollback, max-affected=10000' },
        '{"doc":null}',
      );
      reply.total = response.json?.updated ?? null;
      return reply;
    }
    case 'batchDelete': {
      const operations = [{ method: 'DELETE', path: join(parameters).slice('/v1/-'.length) }];
      const response = await call(
        'POST',
        '/v1/-/_batch',
        { Prefer: 'tx=rollback, max-affected=10000' },
        JSON.stringify({ operations }),
      );
      reply.total = response.json?.[0]?.body?.deleted ?? null;
      return reply;
    }
    case 'query': {
      const body = JSON.stringify({ query: toSql(request, table), mode: 'sql', limit: 1000 });
      const response = await call('POST', '/v1/-/query', {}, body);
      if (reply.fault === null) reply.rows = JSON.parse(markNumbers(response.text));
      return reply;
    }
    case 'tool':
    case 'toolDelete':
      return sendTool(call, reply, request, table);
    case 'search':
      return sendSearch(call, reply, request, table);
    case 'offsets':
      return sendOffsets(call, reply, request, join, parameters);
    default:
      return followLinks(call, reply, request, table, join, parameters);
  }
}

/** @param {Request} request @param {Table} table */
export function chosenRow(request, table) {
  const row = table.rows[(request.limit * 7) % table.rows.length];
  if (row === undefined) throw new Error('there are rows');
  return row;
}

/** @param {Request} request @param {Table} table */
function keyOfRow(request, table) {
  return (table.key ?? []).map((name) => String(chosenRow(request, table)[name])).join(',');
}

/** @typedef {(method: string, path: string, headers?: Record<string, string>, body?: string) => Promise<import('../support/http.mjs').HttpResponse>} Call */

/**
 * Returns a change of one column that is rolled back.
 * @param {Request} request
 * @param {Table} table
 */
export function chosenChange(request, table) {
  const column =
    table.columns.find(
      (item) =>
        ['word', 'size', 'small', 'price', 'code', 'at', 'flag', 'number'].includes(item.kind.name) &&
        !(table.key ?? []).includes(item.name) &&
        item.name !== 'maker_id',
    ) ?? null;
  return column === null
    ? null
    : { column, value: column.kind.pool[request.limit % column.kind.pool.length] };
}

/** @param {Call} gatewayRequest @param {Reply} reply @param {Request} request @param {Table} table */
async function sendBatch(gatewayRequest, reply, request, table) {
  const change = chosenChange(request, table);
  const path = `/${table.name.replaceAll('_', '-')}/${keyOfRow(request, table)}`;
  const operations = change === null ? [{ method: 'DELETE', path }] : [];
  const body =
    change === null
      ? JSON.stringify({ operations })
      : `{"operations":[{"method":"PATCH","path":"${path}","body":{"${change.column.name}":${change.column.kind.body(change.value)}}},{"method":"DELETE","path":"${path}"}]}`;
  const response = await gatewayRequest('POST', '/v1/-/_batch', { Prefer: 'tx=rollback' }, body);
  if (reply.fault === null && change !== null) reply.rows = [JSON.parse(markNumbers(response.text))[0]?.body];
  return reply;
}

/**
 * Sends the request as a tool call over MCP, up to the last page.
 * @param {Call} gatewayRequest
 * @param {Reply} reply
 * @param {Request} request
 * @param {Table} table
 */
async function sendTool(gatewayRequest, reply, request, table) {
  const conditions = [...request.address, ...(request.tree === null ? [] : [request.tree])];
  const own = [
    `"table":"${table.name}"`,
    ...(conditions.length === 0
      ? []
      : [`"filter":{"and":[${conditions.map((item) => toTree(item, table)).join(',')}]}`]),
  ];
  const isDelete = request.form === 'toolDelete';
  if (isDelete) own.push('"dry_run":true');
  else own.push(`"limit":${request.limit}`);
  if (request.sort.length > 0) own.push(`"sort":${JSON.stringify(toSort(request.sort))}`);
  if (request.select !== null) own.push(`"fields":${JSON.stringify(request.select)}`);
  let offset = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const response = await gatewayRequest(
      'POST',
      '/mcp',
      { Accept: 'application/json, text/event-stream' },
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${isDelete ? 'delete' : 'read'}_records","arguments":{${own.join(',')},${isDelete ? '"max_affected":10000' : `"offset":${offset}`}}}}`,
    );
    const result = response.json?.result;
    if (reply.fault === null && (result === undefined || result.isError === true))
      reply.fault = response.text.slice(0, 400);
    if (reply.fault !== null) return reply;
    const content = result.structuredContent;
    if (isDelete) {
      reply.total = content.deleted;
      return reply;
    }
    reply.rows.push(...JSON.parse(markNumbers(JSON.stringify(content.records))));
    if (content.has_more !== true) break;
    offset = content.next_offset;
  }
  return reply;
}

/** @param {Call} gatewayRequest @param {Reply} reply @param {Request} request @param {Table} table */
async function sendSearch(gatewayRequest, reply, request, table) {
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const response = await gatewayRequest(
      'POST',
      `/v1/-/_search/${table.name.replaceAll('_', '-')}`,
      {},
      toBody(request, table, page),
    );
    if (reply.fault !== null) return reply;
    reply.rows.push(...JSON.parse(markNumbers(response.text)));
    if (response.headers['x-has-more'] !== 'true') break;
  }
  return reply;
}

/**
 * @param {Call} gatewayRequest
 * @param {Reply} reply
 * @param {Request} request
 * @param {(parts: string[]) => string} join
 * @param {string[]} parameters
 */
async function sendOffsets(gatewayRequest, reply, request, join, parameters) {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const response = await gatewayRequest(
      'GET',
      join([...parameters, `_offset=${page * request.limit}`, `limit=${request.limit}`]),
    );
    if (reply.fault !== null) return reply;
    reply.rows.push(...JSON.parse(markNumbers(response.text)));
    if (response.headers['x-has-more'] !== 'true') break;
  }
  return reply;
}

/**
 * @param {Call} gatewayRequest
 * @param {Reply} reply
 * @param {Request} request
 * @param {Table} table
 * @param {(parts: string[]) => string} join
 * @param {string[]} parameters
 */
async function followLinks(gatewayRequest, reply, request, table, join, parameters) {
  const own = [...parameters, `limit=${request.limit}`];
  if (request.form === 'cursors') own.push('_cursor=');
  if (request.isCounted && request.distinct === null) own.push('_count=exact');
  if (request.form === 'include')
    own.push(
      ...(table.created.length === 0
        ? ['include=maker']
        : table.created
            .flatMap(({ name }) => [`include=${name}`])
            .slice(0, 1)
            .concat([
              `include[${table.created[0]?.name}][limit]=${request.limit}`,
              `include[${table.created[0]?.name}][_select]=id`,
            ])),
    );
  /** @type {string | undefined} */
  let address = join(own);
  for (let page = 0; page < PAGES_MAX && address !== undefined; page += 1) {
    const response = await gatewayRequest('GET', address);
    if (reply.fault !== null) return reply;
    if (page === 0 && response.headers['x-total-count'] !== undefined)
      reply.total = Number(response.headers['x-total-count']);
    reply.rows.push(...JSON.parse(markNumbers(response.text)));
    address = /<([^>]+)>; rel="next"/.exec(String(response.headers['link'] ?? ''))?.[1];
  }
  return reply;
}
