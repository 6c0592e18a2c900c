import { rankGateways } from './rank-gateways.js';

export interface RoutedDatabase {
  readonly id: string;
  /** The recent request rate of the database. */
  readonly requestsPerSecond: number;
}

export interface GatewayLoad {
  readonly name: string;
  /** The request rate that the gateway serves for other databases. */
  readonly requestsPerSecond: number;
  /** The maximum request rate of the gateway. */
  readonly capacityPerSecond: number;
}

/**
 * The gateways for the requests of a database. Every gateway can serve every database, so an outdated plan
 * costs additional connections but fails no request.
 */
export type RoutePlan =
  /** Send all requests to the first gateway. While it is unavailable, try the others in order. */
  | { readonly kind: 'one'; readonly gateways: readonly string[] }
  /** Draw two gateways at random for each request, and send it to the less loaded one. */
  | { readonly kind: 'spread'; readonly gateways: readonly string[] };

/** The maximum load of a gateway relative to the mean, as long as another gateway has capacity. */
const BOUND = 1.25;
/** The share of a gateway's capacity that one database may use before it is spread over one more gateway. */
const HOT_SHARE = 0.1;

/**
 * Chooses the gateways of a database. A database with few requests stays on one gateway, so that its
 * connections and its schema are held once. A busy database is spread over one more gateway for each tenth of
 * a gateway's capacity it uses.
 *
 * @param gateways the running gateways, at least one
 * @throws RangeError when `gateways` is empty
 */
export function routePlan(database: RoutedDatabase, gateways: readonly GatewayLoad[]): RoutePlan {
  const ranked = rankGateways(database.id, gateways);
  const [first] = ranked;
  if (first === undefined) throw new RangeError('there is no gateway');
  const capacity = ranked.reduce((sum, gateway) => sum + gateway.capacityPerSecond, 0) / ranked.length;
  const locations = Math.floor(database.requestsPerSecond / (HOT_SHARE * capacity)) + 1;
  if (locations > 1) return { kind: 'spread', gateways: ranked.slice(0, locations).map(({ name }) => name) };
  const served = ranked.reduce((sum, gateway) => sum + gateway.requestsPerSecond, database.requestsPerSecond);
  const boundPerSecond = (BOUND * served) / ranked.length;
  const hasRoom =
    ranked.find((gateway) => gateway.requestsPerSecond + database.requestsPerSecond <= boundPerSecond) ??
    first;
  return {
    kind: 'one',
    gateways: [hasRoom, ...ranked.filter((gateway) => gateway !== hasRoom)].map(({ name }) => name),
  };
}
