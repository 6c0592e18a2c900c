import {
  rankGateways,
  routePlan,
  type GatewayLoad,
  type RoutedDatabase,
  type RoutePlan,
} from '../modules/admin/route-plan.js';

export interface Simulated {
  /** The load of the busiest gateway divided by the mean load. */
  readonly maxOverMean: number;
  /**
   * The number of pairs of database and serving gateway. Each pair costs a set of connections and a cached
   * schema.
   */
  readonly places: number;
}

/** The number of parts into which the requests of a database are split. Each part is routed separately. */
const PARTS = 50;

/**
 * Creates databases with realistic activity, in which a few databases cause most requests. Rates follow `1 /
 * rank^1.2`, in random order.
 */
export function makeDatabases(count: number, totalPerSecond: number, random: () => number): RoutedDatabase[] {
  const weights = Array.from({ length: count }, (_, index) => 1 / (index + 1) ** 1.2);
  const sum = weights.reduce((item, other) => item + other, 0);
  return weights
    .map((weight, index) => ({
      id: `db_${index}`,
      requestsPerSecond: (weight / sum) * totalPerSecond,
      order: random(),
    }))
    .sort((item, other) => item.order - other.order);
}

/**
 * Routes the requests of all databases twice. In the second round, each database is planned while the load of
 * all others is in place, as in a cell that has been running for a while.
 */
export function simulate(
  method: 'random' | 'hash' | 'plan',
  databases: readonly RoutedDatabase[],
  gatewayCount: number,
  capacityPerSecond: number,
  random: () => number,
): Simulated {
  const loads = new Map(Array.from({ length: gatewayCount }, (_, index) => [`gateway-${index}`, 0]));
  const served = new Map<string, Map<string, number>>();
  for (let round = 0; round < 2; round += 1) {
    for (const database of databases) {
      for (const [name, amount] of served.get(database.id) ?? [])
        loads.set(name, (loads.get(name) ?? 0) - amount);
      served.set(database.id, sendAll(method, database, loads, capacityPerSecond, random));
    }
  }
  const all = [...loads.values()];
  const mean = all.reduce((item, other) => item + other, 0) / all.length;
  return {
    maxOverMean: Math.max(...all) / mean,
    places: [...served.values()].reduce((sum, locations) => sum + locations.size, 0),
  };
}

/**
 * Adds the requests of one database to the gateways' loads. Returns the fraction that each gateway serves.
 */
function sendAll(
  method: 'random' | 'hash' | 'plan',
  database: RoutedDatabase,
  loads: Map<string, number>,
  capacityPerSecond: number,
  random: () => number,
): Map<string, number> {
  const gateways: GatewayLoad[] = [...loads].map(([name, requestsPerSecond]) => ({
    name,
    requestsPerSecond,
    capacityPerSecond,
  }));
  const plan: RoutePlan =
    method === 'plan'
      ? routePlan(database, gateways)
      : { kind: 'one', gateways: rankGateways(database.id, gateways).map(({ name }) => name) };
  const amounts = new Map<string, number>();
  for (let part = 0; part < PARTS; part += 1) {
    const name =
      method === 'random'
        ? (gateways[Math.floor(random() * gateways.length)]?.name ?? '')
        : chooseGateway(plan, (item) => loads.get(item) ?? 0, random);
    const amount = database.requestsPerSecond / PARTS;
    amounts.set(name, (amounts.get(name) ?? 0) + amount);
    loads.set(name, (loads.get(name) ?? 0) + amount);
  }
  return amounts;
}

/**
 * Returns the gateway to which a balancer sends one request. `random` returns numbers from 0 up to but not
 * including 1.
 */
function chooseGateway(plan: RoutePlan, loadOf: (gateway: string) => number, random: () => number): string {
  const [first] = plan.gateways;
  if (first === undefined) throw new RangeError('the plan names no gateway');
  if (plan.kind === 'one') return first;
  const draw = (): string => plan.gateways[Math.floor(random() * plan.gateways.length)] ?? first;
  const [item, other] = [draw(), draw()];
  return loadOf(item) <= loadOf(other) ? item : other;
}

/** Returns a generator of pseudo-random numbers with a fixed seed. */
export function openRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
