import type { GatewayTelemetry, UsageRow } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import type { Tenant } from '../tenant/tenant.js';
import { startTelemetry } from './telemetry.js';
import type { Observation } from './trace.js';

const observation = {
  requestId: 'r',
  method: 'GET',
  url: '/v1/-/posts',
  status: 200,
  error: null,
  durationMs: 1,
  bytes: 10,
  notes: { rows: 1, plan: 'list', route: 'GET /posts', alsoRoutes: null },
} as unknown as Observation;
const tenant = (index: number): Tenant =>
  ({ key: { id: `key${index}`, databaseId: `db${index}` } }) as unknown as Tenant;

it('a search, a question and a replayed response are not counted as writes', async () => {
  const nothing: GatewayTelemetry = {
    addUsage: () => Promise.resolve(),
    touchKeys: () => Promise.resolve(),
    addKeyUse: () => Promise.resolve(),
    append: () => Promise.resolve(),
  };
  const written: string[] = [];
  const telemetry = startTelemetry(
    nothing,
    () => undefined,
    (databaseId) => written.push(databaseId),
  );
  const plans = ['list', 'read', 'aggregate', 'select', 'replay', 'create', 'batch'];
  for (const [index, plan] of plans.entries())
    telemetry.note({ ...observation, method: 'POST', notes: { ...observation.notes, plan } }, tenant(index));
  telemetry.note(
    { ...observation, method: 'POST', status: 422, notes: { ...observation.notes, plan: 'create' } },
    tenant(9),
  );
  await telemetry.stop();
  expect(written).toEqual(['db5', 'db6']);
});

it('usage is written to the platform database in statements of 500 rows', async () => {
  const messages: Record<string, string[][]> = { usage: [], keys: [], uses: [], log: [] };
  const keep = (name: keyof typeof messages, ids: string[]): Promise<void> => {
    messages[name]?.push(ids);
    return messages[name]?.length === 2
      ? Promise.reject(new Error('the platform database is away'))
      : Promise.resolve();
  };
  const store: GatewayTelemetry = {
    addUsage: (rows: readonly UsageRow[]) =>
      keep(
        'usage',
        rows.map((row) => row.databaseId),
      ),
    touchKeys: (ids) => keep('keys', [...ids]),
    addKeyUse: (rows) =>
      keep(
        'uses',
        rows.map((row) => row.keyId),
      ),
    append: (rows) =>
      keep(
        'log',
        rows.map((row) => row.databaseId),
      ),
  };
  const faults: unknown[] = [];
  const telemetry = startTelemetry(
    store,
    (error) => faults.push(error),
    () => undefined,
  );
  for (let index = 0; index < 1_200; index += 1) telemetry.note(observation, tenant(index));
  await telemetry.stop();
  for (const name of ['usage', 'keys', 'uses'] as const) {
    expect(
      messages[name]?.map((ids) => ids.length),
      name,
    ).toEqual([500, 500, 200]);
    expect(new Set(messages[name]?.flat()).size, name).toBe(1_200);
  }
  expect(faults.length).toBeGreaterThanOrEqual(3);
});
