import type { DatabaseRecord, KeyRecord } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { createChangeTracker } from '../changes/change-tracker.js';
import {
  createTenantDirectory,
  type TenantDirectory,
  type TenantDirectoryOptions,
} from './tenant-directory.js';
import type { TenantDatabase } from './tenant.js';

const KEY_HASH = 'a'.repeat(64);

function makeRecord(id: string): DatabaseRecord {
  return {
    id,
    schemaName: id,
    locationState: 'live',
    movingUntilMs: null,
    accounts: [],
    settings: { hidden_columns: {}, number_columns: {} },
    snapshotNumber: 1,
    snapshotHash: '',
    server: {
      id: 'srv_1',
      host: 'h',
      port: 1,
      nodes: null,
      tls: 'off',
      engine: 'mariadb',
      connectionsMax: 8,
      capabilities: {},
    },
  } as unknown as DatabaseRecord;
}

function makeKey(databaseId: string): KeyRecord {
  return {
    databaseId,
    scopes: ['read'],
    tables: null,
    expiresAtMs: null,
    revokedAtMs: null,
  } as unknown as KeyRecord;
}

function open(maxima: { readonly keysMax?: number; readonly databasesMax?: number }): {
  tenants: TenantDirectory;
  moved: string[];
} {
  const moved: string[] = [];
  const tenants = createTenantDirectory({
    directory: {
      readKey: async (hash: Buffer) => makeKey(hash.toString('hex') === KEY_HASH ? 'db_1' : 'db_2'),
      readDatabase: async (id: string) => makeRecord(id),
    },
    shared: {
      readKey: async () => null,
      readDatabase: async () => null,
      writeKey: () => undefined,
      writeDatabase: () => undefined,
    },
    changeTracker: createChangeTracker(0),
    secrets: {},
    clock: { nowMs: () => 0 },
    budget: {
      serverConnectionsMax: 8,
      serverConnectionsFloor: 8,
      tenantConnectionsMax: 8,
      tenantWritesMax: 8,
    },
    codeTables: () => [],
    onMoved: ({ record }: TenantDatabase) => moved.push(record.id),
    ...maxima,
  } as unknown as TenantDirectoryOptions);
  return { tenants, moved };
}

it.each([
  ['databases', { databasesMax: 1 }],
  ['keys', { keysMax: 1 }],
])('a move pauses a database in use after it was evicted because of too many %s', async (_name, maxima) => {
  const { tenants, moved } = open(maxima);
  const { database } = await tenants.resolve(KEY_HASH, null);
  await tenants.resolve('b'.repeat(64), null);
  tenants.drop('db_1', 'move');
  expect(database.placement).toMatchObject({ isPaused: true, isOutdated: true });
  expect(moved).toEqual(['db_1']);
});

it('a move pauses a database in use whose settings changed before', async () => {
  const { tenants } = open({});
  const { database } = await tenants.resolve(KEY_HASH, null);
  tenants.drop('db_1', 'settings');
  await tenants.resolve(KEY_HASH, null);
  tenants.drop('db_1', 'move');
  expect(database.placement.isPaused).toBe(true);
});

it('a request with an evicted database continues with the current record', async () => {
  const { tenants } = open({ databasesMax: 1 });
  const { database } = await tenants.resolve(KEY_HASH, null);
  await tenants.resolve('b'.repeat(64), null);
  expect(tenants.find(KEY_HASH)).toBeNull();
  const current = await tenants.awaitPlacement(database);
  expect(current).toBe(await tenants.findDatabase('db_1'));
  expect(current.placement.isPaused).toBe(false);
});

it('a database keeps its place in memory when a new key of it evicts its last key', async () => {
  const { tenants, moved } = open({ keysMax: 1 });
  const { database } = await tenants.resolve('b'.repeat(64), null);
  expect(await tenants.resolve('c'.repeat(64), null)).toMatchObject({ database });
  expect(moved).toEqual([]);
  expect(tenants.size()).toEqual({ keys: 1, databases: 1 });
});
