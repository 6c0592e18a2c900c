import { describe, expect, it } from 'vitest';
import { makeDatabases, openRandom, simulate } from '../test/simulate-cell.js';
import { routePlan, type GatewayLoad } from './route-plan.js';

const idle = (count: number): GatewayLoad[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `g${index}`,
    requestsPerSecond: 0,
    capacityPerSecond: 1_000,
  }));
const planOf = (requestsPerSecond: number, gateways = idle(5)) =>
  routePlan({ id: 'db_1', requestsPerSecond }, gateways);

describe('routePlan', () => {
  it('keeps a database with few requests on one gateway and lists the others as fallbacks', () => {
    expect(planOf(99)).toEqual({ kind: 'one', gateways: planOf(0).gateways });
    expect(planOf(0).gateways).toHaveLength(5);
  });

  it('spreads a busy database over one more gateway for each tenth of a gateway, up to all of them', () => {
    expect(planOf(100)).toEqual({ kind: 'spread', gateways: planOf(0).gateways.slice(0, 2) });
    expect(planOf(350).gateways).toHaveLength(4);
    expect(planOf(5_000).gateways).toHaveLength(5);
  });

  it('skips a gateway whose load is a quarter above the mean', () => {
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

  it('throws when there is no gateway', () => {
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
    'of $gateways gateways is evenly loaded, with few databases in more than one',
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
