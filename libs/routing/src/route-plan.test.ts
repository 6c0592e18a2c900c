import { describe, expect, it } from 'vitest';
import { makeDatabases, openRandom, simulate } from '../test/simulate-cell.js';
import { routePlan, type GatewayLoad } from './route-plan.js';

const idle = (count: number): GatewayLoad[] => Array.from({ length: count }, (_, at) => ({ name: `g${at}`, requestsPerSecond: 0, capacityPerSecond: 1_000 }));
const planOf = (requestsPerSecond: number, gateways = idle(5)) => routePlan({ id: 'db_1', requestsPerSecond }, gateways);

describe('routePlan', () => {
  it('keeps a cold database on one gateway, with the next ones behind it', () => {
    expect(planOf(99)).toEqual({ kind: 'one', gateways: planOf(0).gateways });
    expect(planOf(0).gateways).toHaveLength(5);
  });

  it('spreads a hot one over one more than it fills at a tenth each, as far as there are any', () => {
    expect(planOf(100)).toEqual({ kind: 'spread', gateways: planOf(0).gateways.slice(0, 2) });
    expect(planOf(350).gateways).toHaveLength(4);
    expect(planOf(5_000).gateways).toHaveLength(5);
  });

  it('passes over a gateway that has a quarter more than the mean', () => {
    const [home = '', next] = planOf(1).gateways;
    const loads = idle(5).map((gateway) => ({ ...gateway, requestsPerSecond: gateway.name === home ? 140 : 100 }));
    expect(planOf(1, loads).gateways.slice(0, 2)).toEqual([next, home]);
    expect(planOf(1, loads.map((gateway) => ({ ...gateway, requestsPerSecond: 100 }))).gateways[0]).toBe(home);
  });

  it('is of gateways that are there', () => {
    expect(() => planOf(1, [])).toThrow('no gateway');
  });
});

describe('a cell', () => {
  it.each([
    { gateways: 3, databases: 2_000, capacityPerSecond: 5_000, totalPerSecond: 9_000 },
    { gateways: 12, databases: 2_000, capacityPerSecond: 5_000, totalPerSecond: 30_000 },
    // One database alone asks for more than a gateway has.
    { gateways: 40, databases: 2_000, capacityPerSecond: 500, totalPerSecond: 12_000 },
  ])('of $gateways gateways is evenly loaded, with few databases in more than one', ({ gateways, databases, capacityPerSecond, totalPerSecond }) => {
    const of = (way: 'random' | 'hash' | 'plan') => simulate(way, makeDatabases(databases, totalPerSecond, openRandom(7)), gateways, capacityPerSecond, openRandom(11));
    const [random, hash, plan] = [of('random'), of('hash'), of('plan')];
    expect(plan.maxOverMean).toBeLessThan(1.15);
    expect(hash.maxOverMean).toBeGreaterThan(1.2);
    expect(plan.places).toBeLessThan(databases * 1.1);
    expect(random.places).toBeGreaterThan(databases * gateways * 0.6);
  });
});
