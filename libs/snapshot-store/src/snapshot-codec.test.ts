import { describe, expect, it } from 'vitest';
import type { Snapshot } from '@rowhouse/schema-model';
import { canonicalJson } from './canonical-json.js';
import { decodeSnapshot, encodeSnapshot } from './snapshot-codec.js';

const empty: Snapshot = { format: 1, engine: 'mariadb', tables: [] };

describe('canonicalJson', () => {
  it('does not depend on the order of members', () => {
    expect(canonicalJson({ b: [{ y: 1, x: null }], a: 'ä' })).toBe('{"a":"ä","b":[{"x":null,"y":1}]}');
  });
  it('keeps a member called __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
  });
});

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
