import { listEnginesOnce } from '@rowhouse/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const COLUMNS = Array.from({ length: 120 }, (_, index) => `c${index} int NULL`).join(', ');
const DDL = Array.from(
  { length: 12 },
  (_, index) => `CREATE TABLE wide${index} (id int PRIMARY KEY, ${COLUMNS})`,
);
const MCP = { accept: 'application/json, text/event-stream' };

describe.each(listEnginesOnce().map((engine) => [engine.engine, engine] as const))(
  'requests that use every table, on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { ddl: DDL }, other: {} });
    afterEach(() => void vi.restoreAllMocks());

    type CodePath = readonly [
      method: string,
      path: string,
      body?: unknown,
      headers?: Readonly<Record<string, string>>,
    ];

    // Each set of rights is a separate view, whose tables are not compiled yet.
    it.each<readonly [string, readonly ('read' | 'write' | 'delete' | 'schema')[], CodePath]>([
      ['the index', ['read'], ['GET', '/v1/-/']],
      ['a query', ['read', 'write'], ['POST', '/v1/-/query', { query: 'SELECT 1' }]],
      [
        'the stages of a query',
        ['read', 'delete'],
        ['POST', '/v1/-/query', { query: 'SELECT 1' }, { accept: 'text/event-stream' }],
      ],
      ['questions that are suggested', ['write', 'delete'], ['GET', '/v1/-/query']],
      [
        'the tools of MCP',
        ['read', 'write', 'delete'],
        ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, MCP],
      ],
    ])(
      'all tables are compiled in slices between other requests for %s',
      async (_codePath, scopes, [method, path, body, headers]) => {
        const key = (await stage.cell.addKey(stage.tenant, { scopes: [...scopes, 'query'] })).secret;
        const nextSlice = vi.spyOn(stage.gateway.running.services.scheduler, 'nextSlice');
        const call = (): Promise<TestResponse> =>
          callGateway(stage.gateway.url, method, path, { key, body, headers: headers ?? {} });
        expect((await call()).status).toBe(200);
        expect(nextSlice.mock.calls.length).toBeGreaterThanOrEqual(2);
        expect(new Set(nextSlice.mock.calls.map(([owner]) => owner))).toEqual(
          new Set([stage.tenant.schemaName]),
        );
      },
    );
  },
);
