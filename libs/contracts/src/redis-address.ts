import { readLogin, readNodes, readOptions, type AddressNode } from './address-parts.js';

/**
 * The address of a cell's Redis. `rediss…` uses TLS. It has one of these forms:
 *
 * - One server: `redis://user:password@host:port/db`
 * - A primary found by Sentinels:
 *   `redis+sentinel://user:password@host:port,host:port/name-of-the-primary?db=0&sentinel_user=…&sentinel_password=…`
 * - A Redis Cluster, by some of its nodes: `redis+cluster://user:password@host:port,host:port`
 */
export type RedisAddress =
  | { readonly kind: 'single'; readonly url: string }
  | ({
      readonly kind: 'sentinel';
      readonly primary: string;
      readonly db: number;
      readonly sentinelUser: string | null;
      readonly sentinelPassword: string | null;
    } & RedisNodes)
  | ({ readonly kind: 'cluster' } & RedisNodes);

interface RedisNodes {
  readonly nodes: readonly AddressNode[];
  readonly user: string | null;
  readonly password: string | null;
  readonly isTls: boolean;
}

const SINGLE = /^rediss?:\/\/[^/]/;
const SEVERAL =
  /^redis(s?)\+(sentinel|cluster):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
const PORTS = { sentinel: 26_379, cluster: 6_379 } as const;
const OPTIONS = { sentinel: ['db', 'sentinel_user', 'sentinel_password'], cluster: [] } as const;

/** Parses a Redis address. Returns null if the text has none of the supported forms. */
export function parseRedisAddress(text: string): RedisAddress | null {
  if (SINGLE.test(text)) return { kind: 'single', url: text };
  const match = SEVERAL.exec(text);
  if (match === null) return null;
  const kind = match[2] === 'sentinel' ? 'sentinel' : 'cluster';
  try {
    const options = readOptions(match[6] ?? '', OPTIONS[kind]);
    const nodes = readNodes(match[4] ?? '', PORTS[kind]);
    if (options === null || nodes === null) return null;
    const common = { nodes, ...readLogin(match[3] ?? ''), isTls: match[1] === 's' };
    const primary = decodeURIComponent(match[5] ?? '');
    if (kind === 'cluster') return primary === '' ? { kind, ...common } : null;
    const db = options.get('db') ?? '0';
    if (primary === '' || !/^\d{1,4}$/.test(db)) return null;
    return {
      kind,
      ...common,
      primary,
      db: Number(db),
      sentinelUser: options.get('sentinel_user') ?? null,
      sentinelPassword: options.get('sentinel_password') ?? null,
    };
  } catch {
    // A `%` in the text is not followed by two hexadecimal digits.
    return null;
  }
}

/** The description of these address formats in the configuration reference. */
export const REDIS_MEANS =
  'Redis of the cell: `redis://…`; with Sentinels `redis+sentinel://user:password@host:port,host:port/name-of-the-primary?sentinel_password=…`; for a Redis Cluster `redis+cluster://user:password@host:port,host:port`. Use `rediss…` for TLS';

export function isRedisAddress(text: string): boolean {
  return parseRedisAddress(text) !== null;
}
