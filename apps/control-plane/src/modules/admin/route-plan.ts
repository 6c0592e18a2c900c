const FNV_OFFSET = 0x811c9dc5;

const FNV_PRIME = 0x01000193;
export interface RoutedDatabase {
  readonly id: string;
  /** The recent request rate of the database, in requests per second. */
  readonly requestsPerSecond: number;
}

export interface GatewayLoad {
  readonly name: string;
  /** The request rate that the gateway serves for other databases, in requests per second. */
  readonly requestsPerSecond: number;
  /** The maximum request rate of the gateway, in requests per second. */
  readonly capacityPerSecond: number;
}

/**
 * The gateways for the requests of a database. Every gateway can serve every database, so an outdated plan
 * costs additional connections but no request fails.
 */
export type RoutePlan =
  /** Send all requests to the first gateway. While it is unavailable, try the others in order. */
  | { readonly kind: 'one'; readonly gateways: readonly string[] }
  /** Draw two gateways at random for each request, and send it to the less loaded one. */
  | { readonly kind: 'spread'; readonly gateways: readonly string[] };

/** The maximum load of a gateway relative to the mean, as long as another gateway has capacity. */
const BOUND = 1.25;
/**
 * The fraction of a gateway's capacity that one database may use before it is spread over one more gateway.
 */
const HOT_SHARE = 0.1;

/**
 * Chooses the gateways of a database. If it has few requests, one gateway serves it, so that only one gateway
 * holds its connections and its schema. A busy database gets one more gateway for each tenth of a gateway's
 * capacity that it uses.
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
  const hasCapacity =
    ranked.find((gateway) => gateway.requestsPerSecond + database.requestsPerSecond <= boundPerSecond) ??
    first;
  return {
    kind: 'one',
    gateways: [hasCapacity, ...ranked.filter((gateway) => gateway !== hasCapacity)].map(({ name }) => name),
  };
}

/**
 * Sorts gateways by their score for a database (rendezvous hashing). The result does not depend on the order
 * of the input. If a gateway is added or removed, the others stay in the same order relative to each other.
 */
export function rankGateways<Gateway extends { readonly name: string }>(
  databaseId: string,
  gateways: readonly Gateway[],
): Gateway[] {
  return gateways
    .map((gateway) => ({ gateway, score: hashText(`${databaseId} ${gateway.name}`) }))
    .sort((item, other) => other.score - item.score || (item.gateway.name < other.gateway.name ? -1 : 1))
    .map(({ gateway }) => gateway);
}

/**
 * Returns a 32-bit hash of a text: FNV-1a over UTF-16 code units with a final mix. The mix is needed because
 * the hashed texts often differ only in their last characters.
 */
function hashText(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
