import { describe, expect, it } from 'vitest';
import { makeDatabases, openRandom, simulate } from '../../testing/simulate-cell.js';
import { rankGateways, routePlan, type GatewayLoad } from './route-plan.js';

const idle = (count: number): GatewayLoad[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `g${index}`,
    requestsPerSecond: 0,
    capacityPerSecond: 1_000,
  }));
const planOf = (requestsPerSecond: number, gateways = idle(5)) =>
  routePlan({ id: 'db_1', requestsPerSecond }, gateways);

describe('routePlan', () => {
  it('routePlan assigns a database with few requests to one gateway, with fallbacks', () => {
    expect(planOf(99)).toEqual({ kind: 'one', gateways: planOf(0).gateways });
    expect(planOf(0).gateways).toHaveLength(5);
  });

  it('routePlan distributes a busy database over more gateways, up to all of them', () => {
    expect(planOf(100)).toEqual({ kind: 'spread', gateways: planOf(0).gateways.slice(0, 2) });
    expect(planOf(350).gateways).toHaveLength(4);
    expect(planOf(5_000).gateways).toHaveLength(5);
  });

  it('routePlan skips a gateway whose load is a quarter above the mean', () => {
    const [home = '', next] = planOf(1).gateways;
    const loads = idle(5).map((gateway) => ({
      ...gateway,
      requestsPerSecond: gateway.name === home ? 140 : 100,
    }));
    expect(planOf(1, loads).gateways.slice(0, 2)).toEqual([next, home]);
    expect(
      planOf(
        1,
        loads.map((gateway) => ({ ...gateway, requestsPerSecond: 100 })),
      ).gateways[0],
    ).toBe(home);
  });

  it('routePlan throws when there is no gateway', () => {
    expect(() => planOf(1, [])).toThrow('no gateway');
  });
});

describe('a cell', () => {
  it.each([
    { gateways: 3, databases: 2_000, capacityPerSecond: 5_000, totalPerSecond: 9_000 },
    { gateways: 12, databases: 2_000, capacityPerSecond: 5_000, totalPerSecond: 30_000 },
    // A single database needs more than the capacity of one gateway.
    { gateways: 40, databases: 2_000, capacityPerSecond: 500, totalPerSecond: 12_000 },
  ])(
    'a cell of $gateways gateways is evenly loaded, with few databases on several gateways',
    ({ gateways, databases, capacityPerSecond, totalPerSecond }) => {
      const of = (method: 'random' | 'hash' | 'plan') =>
        simulate(
          method,
          makeDatabases(databases, totalPerSecond, openRandom(7)),
          gateways,
          capacityPerSecond,
          openRandom(11),
        );
      const [random, hash, plan] = [of('random'), of('hash'), of('plan')];
      expect(plan.maxOverMean).toBeLessThan(1.15);
      expect(hash.maxOverMean).toBeGreaterThan(1.2);
      expect(plan.places).toBeLessThan(databases * 1.1);
      expect(random.places).toBeGreaterThan(databases * gateways * 0.6);
    },
  );
});

const GATEWAYS = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
const DATABASES = Array.from({ length: 10_000 }, (_, index) => `db_${index}`);
const firstOf = (id: string, gateways = GATEWAYS) => rankGateways(id, gateways)[0]?.name ?? '';

describe('rankGateways', () => {
  it('rankGateways returns the same ranking for every order of the input', () => {
    for (const id of DATABASES.slice(0, 100))
      expect(rankGateways(id, GATEWAYS.toReversed())).toEqual(rankGateways(id, GATEWAYS));
  });

  it('rankGateways ranks each gateway first for an equal share of databases', () => {
    const counts = new Map<string, number>();
    for (const id of DATABASES) counts.set(firstOf(id), (counts.get(firstOf(id)) ?? 0) + 1);
    for (const { name } of GATEWAYS) {
      expect(counts.get(name), name).toBeGreaterThan(1_900);
      expect(counts.get(name), name).toBeLessThan(2_100);
    }
  });

  it('rankGateways keeps the order of the remaining gateways when one is removed', () => {
    const left = GATEWAYS.filter(({ name }) => name !== 'c');
    for (const id of DATABASES.slice(0, 1_000)) {
      expect(rankGateways(id, left)).toEqual(rankGateways(id, GATEWAYS).filter(({ name }) => name !== 'c'));
    }
  });
});
