import { expect } from 'vitest';
import { callGateway, type TestResponse } from './http-call.js';
import type { Stage } from './stage-cell.js';

/** Returns the ids of the records found by a filter on one surface of the data API, in ascending order. */
export type FindIds = (stage: Stage, table: string, filter: string) => Promise<readonly number[]>;

const REHEARSAL = 'tx=rollback, max-affected=100';

/** Percent-encodes the values of `a=b&c=d`, and keeps the names. */
export function encodeFilter(filter: string): string {
  return filter
    .split('&')
    .map((pair) =>
      pair
        .split(/=(.*)/s)
        .slice(0, 2)
        .map((part) => encodeURIComponent(part))
        .join('='),
    )
    .join('&');
}

function readIds(rows: readonly { readonly id: number | string }[]): readonly number[] {
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
}

function succeed(response: TestResponse): TestResponse {
  expect(response.status, response.text.slice(0, 400)).toBe(200);
  return response;
}

function list(
  stage: Stage,
  table: string,
  filter: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return stage.call('GET', `/${table}?_select=id&${encodeFilter(filter)}`, undefined, headers).then(succeed);
}

/**
 * Compares a count with the ids of the list, and returns these ids. All ways to filter therefore have the
 * same expectation.
 */
async function checkCount(
  stage: Stage,
  table: string,
  filter: string,
  count: (ids: number) => Promise<number>,
): Promise<readonly number[]> {
  const ids = readIds((await list(stage, table, filter)).json);
  expect(await count(ids.length)).toBe(ids.length);
  return ids;
}

/** The surfaces that take filters as parameters: `column__operator=value&…`. */
export const FIND_BY_ADDRESS: Readonly<Record<string, FindIds>> = {
  list: async (stage, table, filter) => readIds((await list(stage, table, filter)).json),
  _count: (stage, table, filter) =>
    checkCount(stage, table, filter, async () =>
      Number((await list(stage, table, `${filter}&_count=exact`)).headers.get('x-total-count')),
    ),
  _aggregate: (stage, table, filter) =>
    checkCount(stage, table, filter, async () =>
      Number(
        succeed(await stage.call('GET', `/${table}?_aggregate=count&${encodeFilter(filter)}`)).json[0].count,
      ),
    ),
  _search: async (stage, table, filter) => {
    const members = filter.split('&').map((pair) => pair.split(/=(.*)/s).slice(0, 2));
    return readIds(
      succeed(
        await stage.call('POST', `/_search/${table}`, { _select: ['id'], ...Object.fromEntries(members) }),
      ).json,
    );
  },
  NDJSON: async (stage, table, filter) => {
    const { text } = await list(stage, table, filter, { accept: 'application/x-ndjson' });
    return readIds(
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { id: number }),
    );
  },
  CSV: async (stage, table, filter) => {
    const { text } = await list(stage, table, filter, { accept: 'text/csv' });
    return readIds(
      text
        .split('\r\n')
        .slice(1)
        .filter((line) => line !== '')
        .map((id) => ({ id })),
    );
  },
  'bulk PATCH': (stage, table, filter) => {
    const body = table === 'days' ? { later: null } : { data: null };
    return checkCount(stage, table, filter, async () =>
      Number(
        succeed(await stage.call('PATCH', `/${table}?${encodeFilter(filter)}`, body, { prefer: REHEARSAL }))
          .json.updated,
      ),
    );
  },
  'bulk DELETE': async (stage, table, filter) => {
    const address = `/${table}?${encodeFilter(filter)}`;
    const count = (): Promise<number> =>
      stage
        .call('DELETE', address, undefined, { prefer: REHEARSAL })
        .then((response) => Number(succeed(response).json.deleted));
    const { json } = succeed(
      await stage.call('DELETE', address, undefined, { prefer: `${REHEARSAL}, return=representation` }),
    );
    return Array.isArray(json) ? readIds(json) : checkCount(stage, table, filter, count);
  },
  _batch: (stage, table, filter) =>
    checkCount(stage, table, filter, async () => {
      const operations = [{ method: 'DELETE', path: `/${table}?${encodeFilter(filter)}` }];
      return Number(
        succeed(await stage.call('POST', '/_batch', { operations }, { prefer: REHEARSAL })).json[0].body
          .deleted,
      );
    }),
};

function tool(stage: Stage, name: string, parameters: string): Promise<TestResponse> {
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${parameters}}}`;
  return callGateway(stage.gateway.url, 'POST', '/mcp', {
    key: stage.tenant.key,
    body,
    headers: { accept: 'application/json, text/event-stream' },
  }).then(succeed);
}

/** The surfaces that take a tree of conditions as JSON text. */
export const FIND_BY_TREE: Readonly<Record<string, FindIds>> = {
  _filter: async (stage, table, filter) => readIds((await list(stage, table, `_filter=${filter}`)).json),
  '_search with _filter': async (stage, table, filter) =>
    readIds(
      succeed(await stage.call('POST', `/_search/${table}`, `{"_select":["id"],"_filter":${filter}}`)).json,
    ),
  'the MCP tool read_records': async (stage, table, filter) =>
    readIds(
      (await tool(stage, 'read_records', `{"table":"${table}","fields":["id"],"filter":${filter}}`)).json
        .result.structuredContent.records,
    ),
  'the MCP tool delete_records': async (stage, table, filter) => {
    const ids = readIds((await list(stage, table, `_filter=${filter}`)).json);
    const { structuredContent } = (
      await tool(stage, 'delete_records', `{"table":"${table}","dry_run":true,"filter":${filter}}`)
    ).json.result;
    expect(structuredContent.deleted).toBe(ids.length);
    return ids;
  },
};
