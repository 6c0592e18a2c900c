import { routePlan, type GatewayLoad, type RoutedDatabase, type RoutePlan } from '../src/index.js';
import { rankGateways } from '../src/rank-gateways.js';

export interface Simulated {
  /** The busiest gateway's load over the mean. */
  readonly maxOverMean: number;
  /** Databases times gateways that serve them: each is a set of connections and a snapshot in memory. */
  readonly places: number;
}

/** Requests of a database come in so many parts, each sent by itself. */
const PARTS = 50;

/** Activity as it is: few databases ask for most. Rates follow `1 / rank^1.2` and are handed out in a random order. */
export function makeDatabases(count: number, totalPerSecond: number, random: () => number): RoutedDatabase[] {
  const weights = Array.from({ length: count }, (_, at) => 1 / (at + 1) ** 1.2);
  const sum = weights.reduce((one, other) => one + other, 0);
  return weights
    .map((weight, at) => ({ id: `db_${at}`, requestsPerSecond: (weight / sum) * totalPerSecond, order: random() }))
    .sort((one, other) => one.order - other.order);
}

/**
 * Every database's requests to where a way of routing sends them, twice over: the second time each is planned beside the load
 * that all the others make, as in a cell that has run for a while.
 */
export function simulate(way: 'random' | 'hash' | 'plan', databases: readonly RoutedDatabase[], gatewayCount: number, capacityPerSecond: number, random: () => number): Simulated {
  const loads = new Map(Array.from({ length: gatewayCount }, (_, at) => [`gateway-${at}`, 0]));
  const served = new Map<string, Map<string, number>>();
  for (let round = 0; round < 2; round += 1) {
    for (const database of databases) {
      for (const [name, amount] of served.get(database.id) ?? []) loads.set(name, (loads.get(name) ?? 0) - amount);
      served.set(database.id, sendAll(way, database, loads, capacityPerSecond, random));
    }
  }
  const all = [...loads.values()];
  const mean = all.reduce((one, other) => one + other, 0) / all.length;
  return { maxOverMean: Math.max(...all) / mean, places: [...served.values()].reduce((sum, places) => sum + places.size, 0) };
}

/** Adds one database's requests to the loads; answers what each gateway got of them. */
function sendAll(way: 'random' | 'hash' | 'plan', database: RoutedDatabase, loads: Map<string, number>, capacityPerSecond: number, random: () => number): Map<string, number> {
  const gateways: GatewayLoad[] = [...loads].map(([name, requestsPerSecond]) => ({ name, requestsPerSecond, capacityPerSecond }));
  const plan: RoutePlan = way === 'plan' ? routePlan(database, gateways) : { kind: 'one', gateways: rankGateways(database.id, gateways).map(({ name }) => name) };
  const amounts = new Map<string, number>();
  for (let part = 0; part < PARTS; part += 1) {
    const name = way === 'random' ? (gateways[Math.floor(random() * gateways.length)]?.name ?? '') : chooseGateway(plan, (one) => loads.get(one) ?? 0, random);
    const amount = database.requestsPerSecond / PARTS;
    amounts.set(name, (amounts.get(name) ?? 0) + amount);
    loads.set(name, (loads.get(name) ?? 0) + amount);
  }
  return amounts;
}

/** Where a balancer sends one request. `loadOf`: in any unit. `random`: from 0 to below 1, each call another. */
function chooseGateway(plan: RoutePlan, loadOf: (gateway: string) => number, random: () => number): string {
  const [first] = plan.gateways;
  if (first === undefined) throw new RangeError('the plan names no gateway');
  if (plan.kind === 'one') return first;
  const draw = (): string => plan.gateways[Math.floor(random() * plan.gateways.length)] ?? first;
  const [one, other] = [draw(), draw()];
  return loadOf(one) <= loadOf(other) ? one : other;
}

/** Numbers that are the same in every run. */
export function openRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
