import { describe, expect, it } from 'vitest';
import type { Snapshot } from '@rowhouse/schema-model';
import { decodeSnapshot, encodeSnapshot } from './snapshot-codec.js';

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
