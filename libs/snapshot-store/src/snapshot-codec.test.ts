import { createHash } from 'node:crypto';
import { canonicalJson, nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import {
  foreignKey,
  makeRandomSchema,
  rawColumn,
  rawTable,
  toRawSchema,
} from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import {
  decodeSnapshot,
  encodeChanged,
  encodeSnapshot,
  hashSnapshot,
  readSnapshot,
} from './snapshot-codec.js';

const empty: Snapshot = { format: 1, engine: 'mariadb', tables: [] };

const columns = (index: number): ReturnType<typeof rawColumn>[] =>
  Array.from({ length: 12 }, (_, column) =>
    rawColumn(`c${column}`, 'varchar(40)', { comment: `{"checks":[] ${index * 7919} \\"},{"checks": ü ]}` }),
  );
const large = nameSnapshot(
  {
    engine: 'mariadb',
    tables: Array.from({ length: 600 }, (_, index) =>
      rawTable(
        `t${index}`,
        [rawColumn('id', 'int'), ...columns(index)],
        index === 0 ? {} : { foreignKeys: [foreignKey(`t${index}`, 'c1', `t${(index * 31) % index}`)] },
      ),
    ),
  },
  null,
);

/** Returns the result of `callback`, and how many times other tasks could run in the meantime. */
async function countSlices<T>(callback: () => Promise<T>): Promise<{ result: T; slices: number }> {
  let iterations = 0;
  const timer = setInterval(() => (iterations += 1), 0);
  const result = await callback();
  clearInterval(timer);
  return { result, slices: iterations };
}

describe('encodeSnapshot', () => {
  it('an encoded snapshot decodes to the same snapshot', async () => {
    const { contentHash, body } = await encodeSnapshot(empty);
    expect(contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(await decodeSnapshot(body, contentHash)).toEqual(empty);
  });
  it('snapshots with equal contents have equal hashes', async () => {
    const turned = { tables: [], engine: 'mariadb', format: 1 } as Snapshot;
    expect((await encodeSnapshot(turned)).contentHash).toBe((await encodeSnapshot(empty)).contentHash);
  });
  it('the hash of a snapshot covers its canonical text and is computed in slices', async () => {
    const texts = [empty, { ...large, tables: large.tables.slice(0, 1) }, { ...large, routines: [] }, large];
    const expected = texts.map((snapshot) =>
      createHash('sha256').update(canonicalJson(snapshot)).digest('hex'),
    );
    expect((await Promise.all(texts.map(encodeSnapshot))).map(({ contentHash }) => contentHash)).toEqual(
      expected,
    );
    expect(await Promise.all(texts.map(hashSnapshot))).toEqual(expected);
    expect((await countSlices(() => hashSnapshot(large))).slices).toBeGreaterThan(3);
    expect((await countSlices(() => encodeSnapshot(large))).slices).toBeGreaterThan(3);
  });
  it('encodeChanged returns null for content whose hash is already known', async () => {
    const encoded = await encodeSnapshot(empty);
    expect(await encodeChanged(empty, encoded.contentHash)).toBeNull();
    expect(await encodeChanged(empty, 'a'.repeat(64))).toEqual(encoded);
  });
  it('decodeSnapshot rejects a body that does not match its hash', async () => {
    const other = await encodeSnapshot({ ...empty, engine: 'mysql' });
    const { contentHash } = await encodeSnapshot(empty);
    await expect(decodeSnapshot(other.body, contentHash)).rejects.toThrow(/hash/);
  });
});

describe('readSnapshot', () => {
  it('readSnapshot reads small and large snapshots in slices', async () => {
    const encoded = await encodeSnapshot(large);
    expect(encoded.body.length).toBeGreaterThan(8 * 1024);
    const { result, slices: iterations } = await countSlices(() =>
      readSnapshot(encoded.body, encoded.contentHash),
    );
    expect(result.snapshot).toEqual(large);
    expect(iterations).toBeGreaterThan(3);
    for (let seed = 0; seed < 20; seed += 1) {
      const snapshot = {
        ...nameSnapshot(toRawSchema(makeRandomSchema(seed, { tables: seed % 9 })), null),
        ...(seed % 2 === 0 ? {} : { routines: [] }),
      } as Snapshot;
      const { contentHash, body } = await encodeSnapshot(snapshot);
      expect((await readSnapshot(body, contentHash)).snapshot, `seed ${seed}`).toEqual(
        JSON.parse(canonicalJson(snapshot)),
      );
    }
  });

  it('readSnapshot reads a short body with a long text in slices', async () => {
    const alike = Array.from({ length: 100 }, (_, index) =>
      rawTable(
        `t${index}`,
        Array.from({ length: 60 }, (_column, column) => rawColumn(`c${column}`, 'int')),
      ),
    );
    const { contentHash, body } = await encodeSnapshot(
      nameSnapshot({ engine: 'mariadb', tables: alike }, null),
    );
    expect(body.length).toBeLessThan(8 * 1024);
    const { result, slices: iterations } = await countSlices(() => readSnapshot(body, contentHash));
    expect(result.plainBytes).toBeGreaterThan(1024 * 1024);
    expect(iterations).toBeGreaterThan(3);
  });

  it('readSnapshot rejects a large body that does not match its hash', async () => {
    const [{ body }, { contentHash }] = [await encodeSnapshot(large), await encodeSnapshot(empty)];
    await expect(readSnapshot(body, contentHash)).rejects.toThrow(/hash/);
  });
});
