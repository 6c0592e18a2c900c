import { describe, expect, it } from 'vitest';
import { rankGateways } from './rank-gateways.js';

const GATEWAYS = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
const DATABASES = Array.from({ length: 10_000 }, (_, at) => `db_${at}`);
const firstOf = (id: string, gateways = GATEWAYS) => rankGateways(id, gateways)[0]?.name ?? '';

describe('rankGateways', () => {
  it('does not depend on the order in which gateways are given', () => {
    for (const id of DATABASES.slice(0, 100)) expect(rankGateways(id, GATEWAYS.toReversed())).toEqual(rankGateways(id, GATEWAYS));
  });

  it('gives each its share', () => {
    const counts = new Map<string, number>();
    for (const id of DATABASES) counts.set(firstOf(id), (counts.get(firstOf(id)) ?? 0) + 1);
    for (const { name } of GATEWAYS) {
      expect(counts.get(name), name).toBeGreaterThan(1_900);
      expect(counts.get(name), name).toBeLessThan(2_100);
    }
  });

  it('moves nothing but what lay on the one that went', () => {
    const left = GATEWAYS.filter(({ name }) => name !== 'c');
    for (const id of DATABASES.slice(0, 1_000)) {
      expect(rankGateways(id, left)).toEqual(rankGateways(id, GATEWAYS).filter(({ name }) => name !== 'c'));
    }
  });
});
