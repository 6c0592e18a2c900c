import { createHash } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import { canonicalJson, type Snapshot } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import type { RightsView } from './live-schema.js';
import { createLiveSchemas, type LiveSchemas, type SchemaUse, type SnapshotPointer } from './live-schemas.js';

const view: RightsView = { name: 'all', rights: { tables: null, verbs: ['read'], hiddenColumns: {} } };

/** Returns a snapshot that depends on `name`, so that the hashes of two snapshots are different. */
function snapshotOf(name: string): Snapshot {
  return { format: 1, engine: 'mariadb', tables: [], comment: name.repeat(2_000) } as unknown as Snapshot;
}

interface Setup {
  readonly schemas: LiveSchemas;
  readonly pointers: Map<string, SnapshotPointer>;
  readonly reads: string[];
  /** Publishes a snapshot. Publications with equal `content` have the same content hash. */
  publish(databaseId: string, number: number, announce?: boolean, content?: string): void;
  hold(): () => void;
}

function setUp(bytesMax = 1e9, viewBytesMax = 1e9): Setup {
  const pointers = new Map<string, SnapshotPointer>();
  const bodies = new Map<string, Buffer>();
  const reads: string[] = [];
  let gate: Promise<void> = Promise.resolve();
  const schemas = createLiveSchemas({
    bytesMax,
    viewBytesMax,
    viewsMax: 2,
    isFresh: () => true,
    catchUp: () => Promise.resolve(),
    onExceptions: () => undefined,
    onFault: () => undefined,
    readPointer: async (databaseId) => {
      const pointer = pointers.get(databaseId) ?? null;
      await gate;
      return pointer;
    },
    readBody: async (contentHash) => {
      reads.push(contentHash);
      return bodies.get(contentHash) ?? null;
    },
  });
  return {
    schemas,
    pointers,
    reads,
    publish(databaseId, number, announce = true, content = `${databaseId}${number}`) {
      const plain = canonicalJson(snapshotOf(content));
      const [contentHash, body] = [
        createHash('sha256').update(plain).digest('hex'),
        brotliCompressSync(plain),
      ];
      bodies.set(contentHash, body);
      pointers.set(databaseId, { number, contentHash });
      if (announce) schemas.noteSnapshot(databaseId, number);
    },
    hold() {
      let open: () => void = () => undefined;
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
  };
}

const settle = async (): Promise<void> => {
  for (let iteration = 0; iteration < 5; iteration += 1)
    await new Promise((resolve) => setImmediate(resolve));
};

function useNow(schemas: LiveSchemas, databaseId: string): SchemaUse {
  const use = schemas.use(databaseId, view);
  if (use === null) throw new Error('not loaded');
  return use;
}

describe('live schemas', () => {
  it('concurrent callers share one load of a live schema', async () => {
    const { schemas, publish, reads } = setUp();
    publish('db', 1);
    expect(schemas.use('db', view)).toBeNull();
    await Promise.all([schemas.load('db', null), schemas.load('db', null), schemas.load('db', null)]);
    expect(reads).toHaveLength(1);
    expect(useNow(schemas, 'db').number).toBe(1);
    expect(useNow(schemas, 'db').compiled).toBe(useNow(schemas, 'db').compiled);
  });

  it('a request keeps the schema with which it started', async () => {
    const { schemas, publish } = setUp();
    publish('db', 1);
    await schemas.load('db', null);
    const old = useNow(schemas, 'db');
    publish('db', 2);
    expect(schemas.exceptions()).toEqual(['db']);
    await settle();
    expect(useNow(schemas, 'db').number).toBe(2);
    expect(old.compiled.number).toBe(1);
    expect(schemas.exceptions()).toEqual(['db']);
    old.release();
    expect(schemas.exceptions()).toEqual([]);
  });

  it('a live schema is loaded again when a new snapshot is published during the load', async () => {
    const { schemas, publish, hold } = setUp();
    publish('db', 1);
    const open = hold();
    const loading = schemas.load('db', null);
    publish('db', 2);
    open();
    await loading;
    expect(useNow(schemas, 'db').number).toBe(2);
    expect(schemas.exceptions()).toEqual([]);
  });

  it('no request starts while its database is paused for a schema change', async () => {
    const { schemas, pointers, publish } = setUp();
    publish('db', 1);
    await schemas.load('db', null);
    const old = useNow(schemas, 'db');
    pointers.set('db', { ...(pointers.get('db') as SnapshotPointer), pauseMs: Number.POSITIVE_INFINITY });
    schemas.notePause('db');
    expect([schemas.use('db', view), schemas.exceptions()]).toEqual([null, ['db']]);
    await settle();
    expect([schemas.isPaused('db'), schemas.exceptions()]).toEqual([true, ['db']]);
    old.release();
    expect(schemas.exceptions()).toEqual([]);
    const resumed = schemas.awaitResumed('db');
    publish('db', 2, false);
    schemas.notePause('db');
    expect(await resumed).toBe(true);
    expect([useNow(schemas, 'db').number, schemas.isPaused('db'), schemas.pauses('db')]).toEqual([
      2,
      false,
      2,
    ]);
  });

  it('the pause of a database is read again when it changes during the read', async () => {
    const { schemas, pointers, publish, hold } = setUp();
    publish('db', 1);
    const open = hold();
    const loading = schemas.load('db', null);
    pointers.set('db', { ...(pointers.get('db') as SnapshotPointer), pauseMs: 60_000 });
    schemas.notePause('db');
    open();
    await loading;
    expect([schemas.use('db', view), schemas.isPaused('db')]).toEqual([null, true]);
  });

  it('requests of a paused database start when the pause expires', async () => {
    const { schemas, pointers, publish } = setUp();
    publish('db', 1);
    const pointer = pointers.get('db') as SnapshotPointer;
    pointers.set('db', { ...pointer, pauseMs: 5 });
    await schemas.load('db', null);
    pointers.set('db', pointer);
    expect(schemas.use('db', view)).toBeNull();
    expect(await schemas.awaitResumed('db')).toBe(true);
    expect(useNow(schemas, 'db').number).toBe(1);
  });

  it('the version of a live schema never decreases', async () => {
    const { schemas, publish } = setUp();
    publish('db', 5);
    await schemas.load('db', null);
    publish('db', 4);
    await settle();
    expect(useNow(schemas, 'db').number).toBe(5);
  });

  it('an announced snapshot is ignored if its database is not in memory', () => {
    const { schemas, publish, reads } = setUp();
    publish('db', 7);
    expect(schemas.exceptions()).toEqual([]);
    expect(reads).toEqual([]);
  });

  it('the least recently used live schemas are evicted above the byte limit, unless in use', async () => {
    const { schemas, publish } = setUp(40_000);
    for (const databaseId of ['a', 'b', 'c', 'd']) publish(databaseId, 1);
    await schemas.load('a', null);
    const held = useNow(schemas, 'a');
    for (const databaseId of ['b', 'c', 'd']) await schemas.load(databaseId, null);
    expect(schemas.bytes()).toBeLessThanOrEqual(40_000);
    expect(schemas.use('a', view)).not.toBeNull();
    expect(schemas.use('b', view)).toBeNull();
    expect(schemas.use('d', view)).not.toBeNull();
    held.release();
  });

  it('compiled views are counted separately for each database, even if their content is shared', async () => {
    const { schemas, publish, reads } = setUp(100_000);
    const ids = Array.from({ length: 50 }, (_, index) => `db${index}`);
    for (const databaseId of ids) {
      publish(databaseId, 1, true, 'starter');
      await schemas.load(databaseId, null);
      useNow(schemas, databaseId).release();
      expect(schemas.bytes()).toBeLessThanOrEqual(100_000);
    }
    expect(new Set(reads).size).toBe(1);
    const retained = ids.filter((databaseId) => schemas.has(databaseId));
    expect(retained.length).toBeLessThan(10);
    expect(retained).toEqual(ids.slice(-retained.length));
    for (const databaseId of retained) schemas.forget(databaseId);
    expect(schemas.bytes()).toBe(0);
  });

  it('compiled views of the least recently used databases are evicted above their own limit', async () => {
    const { schemas, publish, reads } = setUp(1e9, 200_000);
    const ids = Array.from({ length: 20 }, (_, index) => `d${index % 10}${index}`);
    const seen = new Map<string, unknown>();
    for (const databaseId of ids) {
      publish(databaseId, 1);
      await schemas.load(databaseId, null);
    }
    const before = schemas.bytes();
    const held = useNow(schemas, 'd00');
    for (const databaseId of ids.slice(1)) {
      const use = useNow(schemas, databaseId);
      seen.set(databaseId, use.compiled);
      use.release();
      expect(schemas.bytes()).toBeLessThanOrEqual(before + 200_000);
    }
    const loads = schemas.loads();
    const isRetained = (databaseId: string): boolean => {
      const use = useNow(schemas, databaseId);
      use.release();
      return use.compiled === seen.get(databaseId);
    };
    expect([
      isRetained('d919'),
      isRetained('d818'),
      useNow(schemas, 'd00').compiled === held.compiled,
    ]).toEqual([true, true, true]);
    expect(isRetained('d11')).toBe(false);
    expect([schemas.loads(), reads.length]).toEqual([loads, 20]);
    for (const databaseId of ids) schemas.forget(databaseId);
    expect(schemas.has('d11')).toBe(false);
    held.release();
  });

  it('waiting for a newer snapshot reports whether it arrived in time', async () => {
    const { schemas, publish } = setUp();
    publish('db', 1);
    await schemas.load('db', null);
    const newer = schemas.waitForNewer('db', 1, 5_000);
    await settle();
    publish('db', 2);
    expect(await newer).toBe(true);
    expect(await schemas.waitForNewer('db', 2, 5)).toBe(false);
  });

  it('callers waiting for a snapshot are notified when its database cannot be read', async () => {
    const { schemas, publish } = setUp();
    const newer = schemas.waitForNewer('db', 0, 5_000);
    await settle();
    await schemas.load('db', null);
    publish('db', 1, false);
    await schemas.load('db', null);
    expect(await Promise.race([newer, settle().then(() => 'still waiting')])).toBe(true);
    expect(await schemas.waitForNewer('other', 0, 5)).toBe(false);
    const loads = schemas.loads();
    publish('other', 1);
    expect(schemas.loads()).toBe(loads);
  });

  it('settle() resolves when every announced snapshot is live', async () => {
    const { schemas, publish, hold } = setUp();
    publish('db', 1);
    await schemas.load('db', null);
    await schemas.settle();
    const open = hold();
    publish('db', 2);
    const settled = schemas.settle();
    expect(useNow(schemas, 'db').number).toBe(1);
    open();
    await settled;
    expect(useNow(schemas, 'db').number).toBe(2);
  });

  it('the live schema of a deleted database is dropped', async () => {
    const { schemas, publish, pointers } = setUp();
    publish('db', 1);
    await schemas.load('db', null);
    pointers.delete('db');
    schemas.noteSnapshot('db', 2);
    await settle();
    expect(schemas.use('db', view)).toBeNull();
    expect(schemas.exceptions()).toEqual([]);
    expect(schemas.bytes()).toBe(0);
  });
});
