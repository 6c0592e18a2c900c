import { rankGateways } from './rank-gateways.js';

export interface RoutedDatabase {
  readonly id: string;
  /** What it asked for lately. */
  readonly requestsPerSecond: number;
}

export interface GatewayLoad {
  readonly name: string;
  /** What it serves of other databases. */
  readonly requestsPerSecond: number;
  /** What it can serve. */
  readonly capacityPerSecond: number;
}

/** Where requests of a database go; whoever is named can serve them, so a stale plan costs connections and no answers. */
export type RoutePlan =
  /** All to the first; to the next ones, in this order, while it is away. */
  | { readonly kind: 'one'; readonly gateways: readonly string[] }
  /** Each to the less loaded of two of them, drawn by chance. */
  | { readonly kind: 'spread'; readonly gateways: readonly string[] };

/** No gateway is given more than this much of the mean load, as long as another has room. */
const BOUND = 1.25;
/** What one database may take of one gateway before it is spread over a further one. */
const HOT_SHARE = 0.1;

/**
 * Which gateways serve a database. A cold one stays on one of them, so that its connections and its snapshot exist once; a hot
 * one is spread over one more than it takes at a tenth of a gateway each.
 *
 * @param gateways that are alive, at least one
 */
export function routePlan(database: RoutedDatabase, gateways: readonly GatewayLoad[]): RoutePlan {
  const ranked = rankGateways(database.id, gateways);
  const [first] = ranked;
  if (first === undefined) throw new RangeError('there is no gateway');
  const capacity = ranked.reduce((sum, gateway) => sum + gateway.capacityPerSecond, 0) / ranked.length;
  const places = Math.floor(database.requestsPerSecond / (HOT_SHARE * capacity)) + 1;
  if (places > 1) return { kind: 'spread', gateways: ranked.slice(0, places).map(({ name }) => name) };
  const served = ranked.reduce((sum, gateway) => sum + gateway.requestsPerSecond, database.requestsPerSecond);
  const boundPerSecond = (BOUND * served) / ranked.length;
  const hasRoom = ranked.find((gateway) => gateway.requestsPerSecond + database.requestsPerSecond <= boundPerSecond) ?? first;
  return { kind: 'one', gateways: [hasRoom, ...ranked.filter((gateway) => gateway !== hasRoom)].map(({ name }) => name) };
}
