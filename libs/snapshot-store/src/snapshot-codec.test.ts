import { describe, expect, it } from 'vitest';
import type { Snapshot } from '@rowhouse/schema-model';
import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, makeRandomSchema, rawColumn, rawTable, toRawSchema } from '@rowhouse/schema-model/testing';
import { decodeSnapshot, encodeSnapshot, readSnapshot } from './snapshot-codec.js';

const empty: Snapshot = { format: 1, engine: 'mariadb', tables: [] };

describe('encodeSnapshot', () => {
  it('gives back what went in', () => {
    const { contentHash, body } = encodeSnapshot(empty);
    expect(contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(decodeSnapshot(body, contentHash)).toEqual(empty);
  });
  it('names equal content alike', () => {
    const turned = { tables: [], engine: 'mariadb', format: 1 } as Snapshot;
    expect(encodeSnapshot(turned).contentHash).toBe(encodeSnapshot(empty).contentHash);
  });
  it('refuses a body under another hash', () => {
    const other = encodeSnapshot({ ...empty, engine: 'mysql' });
    expect(() => decodeSnapshot(other.body, encodeSnapshot(empty).contentHash)).toThrow(/hash/);
  });
});

describe('readSnapshot', () => {
  const columns = (at: number): ReturnType<typeof rawColumn>[] => Array.from({ length: 12 }, (_, column) => rawColumn(`c${column}`, 'varchar(40)', { comment: `{"checks":[] ${at * 7919} \\"},{"checks": ü ]}` }));
  const large = nameSnapshot({ engine: 'mariadb', tables: Array.from({ length: 600 }, (_, at) => rawTable(`t${at}`, [rawColumn('id', 'int'), ...columns(at)], at === 0 ? {} : { foreignKeys: [foreignKey(`t${at}`, 'c1', `t${(at * 31) % at}`)] })) }, null);

  it('reads what decodeSnapshot reads, large or small, and lets others in between', async () => {
    const encoded = encodeSnapshot(large);
    expect(encoded.body.length).toBeGreaterThan(8 * 1024);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const read = await readSnapshot(encoded.body, encoded.contentHash);
    clearInterval(timer);
    expect(read.snapshot).toEqual(large);
    expect(turns).toBeGreaterThan(3);
    for (let seed = 0; seed < 20; seed += 1) {
      const snapshot = { ...nameSnapshot(toRawSchema(makeRandomSchema(seed, { tables: seed % 9 })), null), ...(seed % 2 === 0 ? {} : { routines: [] }) } as Snapshot;
      const { contentHash, body } = encodeSnapshot(snapshot);
      expect((await readSnapshot(body, contentHash)).snapshot, `seed ${seed}`).toEqual(decodeSnapshot(body, contentHash));
    }
  });

  it('refuses a large body under another hash', async () => {
    await expect(readSnapshot(encodeSnapshot(large).body, encodeSnapshot(empty).contentHash)).rejects.toThrow(/hash/);
  });
});
