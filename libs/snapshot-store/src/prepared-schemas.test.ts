import type { Snapshot } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import type { RightsView } from './live-schema.js';
import type { SnapshotPointer } from './live-schemas.js';
import { createPreparedSchemas } from './prepared-schemas.js';
import { encodeSnapshot } from './snapshot-codec.js';

const view: RightsView = { name: 'all', rights: { tables: null, verbs: ['read'], hiddenColumns: {} } };
const { contentHash, body } = await encodeSnapshot({ format: 1, engine: 'mariadb', tables: [] } as Snapshot);

function setUp(isServed = true) {
  const state: { pointer: SnapshotPointer | null; reads: number } = {
    pointer: { number: 2, contentHash },
    reads: 0,
  };
  const schemas = createPreparedSchemas({
    readPrepared: async () => {
      state.reads += 1;
      return state.pointer;
    },
    readBody: async () => body,
    isServed: () => isServed,
    onExceptions: () => undefined,
    onFault: () => undefined,
  });
  return { state, schemas };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('prepared schemas', () => {
  it('exceptions() lists a database until its announced schema is read', async () => {
    const { schemas } = setUp();
    schemas.note('db');
    expect(schemas.exceptions()).toEqual(['db']);
    await settle();
    expect(schemas.exceptions()).toEqual([]);
    expect(schemas.use('db', view, 1)?.number).toBe(2);
    expect(schemas.use('db', view, 2)).toBeNull();
  });

  it('a prepared schema is ignored if this gateway does not serve the database', () => {
    const { schemas, state } = setUp(false);
    schemas.note('db');
    expect(state.reads).toBe(0);
  });

  it('a prepared schema that is announced again during its read is read once more', async () => {
    const { schemas, state } = setUp();
    schemas.note('db');
    // This pointer is newer than the one that the first read returned.
    state.pointer = { number: 3, contentHash };
    schemas.note('db');
    schemas.note('db');
    await settle();
    expect(schemas.exceptions()).toEqual([]);
    expect(state.reads).toBe(2);
    expect(schemas.use('db', view, 1)?.number).toBe(3);
  });

  it('a prepared schema is dropped after its publication when its last request has ended', async () => {
    const { schemas } = setUp();
    await schemas.load('db');
    const use = schemas.use('db', view, 1);
    schemas.drop('db', 2);
    expect(schemas.use('db', view, 1)).toBeNull();
    expect(schemas.exceptions()).toEqual(['db']);
    use?.release();
    expect(schemas.exceptions()).toEqual([]);
  });

  it('a prepared schema is dropped when it is withdrawn', async () => {
    const { schemas, state } = setUp();
    await schemas.load('db');
    state.pointer = null;
    schemas.note('db');
    await settle();
    expect(schemas.use('db', view, 1)).toBeNull();
  });
});
