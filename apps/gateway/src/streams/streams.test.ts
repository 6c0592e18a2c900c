import { AppError } from '@rowhouse/errors';
import { Registry } from '@rowhouse/runtime';
import { describe, expect, it } from 'vitest';
import { ClientDisconnectedError } from '../http/gateway-request.js';
import type { Tenant, TenantDatabase } from '../tenant/tenant.js';
import { createStreams } from './streams.js';

const tenantOf = (keyId: string): Tenant => ({ key: { id: keyId } }) as unknown as Tenant;
const databaseOf = (id: string, serverId: string, connectionsMax: number): TenantDatabase =>
  ({ record: { id }, server: { id: serverId, connectionsMax } }) as unknown as TenantDatabase;

/** Creates work that ends on request. */
function hold(): { readonly work: () => Promise<void>; end(): void; isRunning(): boolean } {
  let isRunning = false;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ((isRunning = true), ended), end: () => end(), isRunning: () => isRunning };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the streams of a gateway', () => {
  it('a key may have four streams at once', async () => {
    const registry = new Registry();
    const streams = createStreams(registry);
    const held = Array.from({ length: 4 }, hold);
    const running = held.map((item) => streams.run(tenantOf('a'), 'list', item.work));
    await expect(streams.run(tenantOf('a'), 'import', () => Promise.resolve())).rejects.toMatchObject({
      code: 'limit.streams',
    });
    await streams.run(tenantOf('b'), 'list', () => Promise.resolve());
    held[0]?.end();
    await running[0];
    await expect(
      streams.run(tenantOf('a'), 'query', () => Promise.reject(new ClientDisconnectedError())),
    ).rejects.toThrow(ClientDisconnectedError);
    await expect(
      streams.run(tenantOf('a'), 'query', () => Promise.reject(new AppError('db.timeout'))),
    ).rejects.toThrow(AppError);
    const text = await registry.metrics();
    for (const line of [
      'gateway_streams_open 3',
      'gateway_streams_total{kind="list",end="done"} 2',
      'gateway_streams_total{kind="query",end="gone"} 1',
      'gateway_streams_total{kind="query",end="db.timeout"} 1',
    ])
      expect(text).toContain(line);
    for (const item of held) item.end();
    await Promise.all(running);
  });

  it('streams of each kind share a limited number of slots per database and per server', async () => {
    const streams = createStreams(new Registry());
    const locations: [string, 'part' | 'whole', string][] = [
      ['db1', 'whole', 's1'],
      ['db1', 'whole', 's1'],
      ['db1', 'whole', 's1'],
      ['db1', 'part', 's1'],
      ['db2', 'whole', 's1'],
      ['db3', 'whole', 's2'],
    ];
    const held = locations.map(([id, queue, serverId]) => ({ ...hold(), id, queue, serverId }));
    const done = held.map((item) =>
      streams.runInSlot(databaseOf(item.id, item.serverId, 12), item.queue, item.work),
    );
    await settle();
    // There are two slots per database, and three per server of twelve connections.
    expect(held.map((item) => item.isRunning())).toEqual([true, true, false, true, true, true]);
    held[0]?.end();
    await done[0];
    await settle();
    expect(held[2]?.isRunning()).toBe(true);
    for (const item of held) item.end();
    await Promise.all(done);
    const small = [hold(), hold()];
    const both = small.map((item, index) =>
      streams.runInSlot(databaseOf(`x${index}`, 'tiny', 2), 'part', item.work),
    );
    await settle();
    expect(small.map((item) => item.isRunning())).toEqual([true, false]);
    for (const item of small) item.end();
    await Promise.all(both);
  });
});
