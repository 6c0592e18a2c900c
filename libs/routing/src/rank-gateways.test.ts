import { describe, expect, it } from 'vitest';
import { rankGateways } from './rank-gateways.js';

const GATEWAYS = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
const DATABASES = Array.from({ length: 10_000 }, (_, index) => `db_${index}`);
const firstOf = (id: string, gateways = GATEWAYS) => rankGateways(id, gateways)[0]?.name ?? '';

describe('rankGateways', () => {
  it('returns the same ranking for every order of the input', () => {
    for (const id of DATABASES.slice(0, 100))
      expect(rankGateways(id, GATEWAYS.toReversed())).toEqual(rankGateways(id, GATEWAYS));
  });

  it('ranks each gateway first for an equal share of the databases', () => {
    const counts = new Map<string, number>();
    for (const id of DATABASES) counts.set(firstOf(id), (counts.get(firstOf(id)) ?? 0) + 1);
    for (const { name } of GATEWAYS) {
      expect(counts.get(name), name).toBeGreaterThan(1_900);
      expect(counts.get(name), name).toBeLessThan(2_100);
    }
  });

  it('keeps the order of the remaining gateways when one is removed', () => {
    const left = GATEWAYS.filter(({ name }) => name !== 'c');
    for (const id of DATABASES.slice(0, 1_000)) {
      expect(rankGateways(id, left)).toEqual(rankGateways(id, GATEWAYS).filter(({ name }) => name !== 'c'));
    }
  });
});
