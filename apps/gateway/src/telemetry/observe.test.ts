import { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import type { Tenant } from '../tenant/tenant.js';
import { writeRequestEvent } from './observe.js';
import { createTrace, type Observation } from './trace.js';

const tenant = {
  key: { id: 'key_1', databaseId: 'db_1' },
  database: { record: { projectId: 'prj_1' } },
} as unknown as Tenant;

function observe(
  more: Partial<Observation> = {},
  prepare: (trace: ReturnType<typeof createTrace>) => void = () => undefined,
): Record<string, unknown> {
  const trace = createTrace();
  prepare(trace);
  const observation = {
    requestId: 'req_1',
    method: 'GET',
    url: '/',
    status: 200,
    error: null,
    durationMs: 1.239,
    bytes: 12,
    notes: trace.read(),
    ...more,
  };
  return JSON.parse(`{${writeRequestEvent(observation)}}`) as Record<string, unknown>;
}

describe("a request's event", () => {
  it('writeRequestEvent contains the key, the route and the cost of a request', () => {
    const event = observe({}, (trace) => {
      trace.tenant(tenant);
      trace.route('GET /posts/{id}');
      trace.plan('read');
      trace.mark('auth');
      trace.mark('db');
      trace.rows(3);
      trace.replanned();
    });
    expect(event).toEqual({
      request_id: 'req_1',
      method: 'GET',
      route: 'GET /posts/{id}',
      status: 200,
      key_id: 'key_1',
      database_id: 'db_1',
      project_id: 'prj_1',
      plan: 'read',
      duration_ms: 1.24,
      steps_ms: { auth: expect.any(Number) as number, db: expect.any(Number) as number },
      rows: 3,
      bytes: 12,
      replanned: true,
      msg: 'request',
    });
  });
  it('writeRequestEvent omits the tenant of a request that was rejected early', () => {
    expect(observe({ status: 404, error: new AppError('request.not_found') })).toEqual({
      request_id: 'req_1',
      method: 'GET',
      route: '',
      status: 404,
      duration_ms: 1.24,
      rows: 0,
      bytes: 12,
      code: 'request.not_found',
      msg: 'request',
    });
  });
  it('writeRequestEvent returns JSON for any table name', () => {
    expect(observe({}, (trace) => trace.route('GET /a"b\\c\n\u2028'))['route']).toBe('GET /a"b\\c\n\u2028');
  });
  it('writeRequestEvent redacts values in server messages', () => {
    const duplicate = new AppError('record.duplicate', {
      internal: "1062 (23000) Duplicate entry 'canary' for key 'email'",
    });
    const rejected = new AppError('record.rejected', { internal: '1644 (45000) no more of canary' });
    expect(observe({ error: duplicate })['internal']).toBe("1062 (23000) Duplicate entry '…'");
    expect(JSON.stringify([observe({ error: duplicate }), observe({ error: rejected })])).not.toContain(
      'canary',
    );
  });
});
