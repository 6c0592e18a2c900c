import type { Snapshot } from '@rowhouse/schema-model';
import type { ApiImpact, ImpactUse } from './types.js';

/**
 * The recent calls that one API key made to one route. `route` is a method and a path, as in the impact: `GET
 * /posts/{id}`.
 */
export interface KeyUse {
  readonly keyId: string;
  readonly keyName: string;
  /**
   * Whether the console created the key for itself. It creates a new key every 15 minutes, so all of these
   * keys are reported as one.
   */
  readonly isConsole: boolean;
  readonly route: string;
  readonly requests: number;
  /** The time of the last call, as an ISO 8601 timestamp. */
  readonly lastUsedAt: string;
}

const KEYS_SHOWN_MAX = 50;
/** The key of the map's entry for all keys of the console. No API key has this id. */
const CONSOLE = 'console';

/**
 * Adds the API keys that recently called removed or changed routes to the impact. Usage of columns is not
 * known: a caller that reads or writes records of a table may use any of its fields.
 */
export function attachUses(impact: ApiImpact, current: Snapshot, uses: readonly KeyUse[]): ApiImpact {
  const paths = new Map(current.tables.map((table) => [table.name, `/${table.path}`]));
  const usedBy = [...impact.removed, ...impact.changed].flatMap((what): ImpactUse[] => {
    const keys = mergeKeys(uses.filter((use) => isUse(use.route, what, paths)));
    return keys.length === 0 ? [] : [{ what, keys }];
  });
  return { ...impact, usedBy };
}

function isUse(route: string, what: string, paths: ReadonlyMap<string, string>): boolean {
  if (/^[A-Z]+ \//.test(what)) return route === what;
  const [method = '', path = ''] = route.split(' ');
  const isInclude = what.includes('?');
  const table = isInclude ? what.slice(0, what.indexOf('?')) : what.slice(0, what.lastIndexOf('.'));
  const root = paths.get(table);
  if (root === undefined || (path !== root && path !== `${root}/{id}`)) return false;
  return isInclude ? method === 'GET' : method !== 'DELETE';
}

function mergeKeys(uses: readonly KeyUse[]): ImpactUse['keys'] {
  const keys = new Map<string, ImpactUse['keys'][number]>();
  for (const use of uses) {
    const owner = use.isConsole ? CONSOLE : use.keyId;
    const known = keys.get(owner);
    const lastUsedAt =
      known === undefined || known.lastUsedAt < use.lastUsedAt ? use.lastUsedAt : known.lastUsedAt;
    keys.set(owner, {
      id: known?.id ?? use.keyId,
      name: use.keyName,
      lastUsedAt,
      requests: (known?.requests ?? 0) + use.requests,
    });
  }
  return [...keys.values()]
    .sort((a, b) => b.requests - a.requests || (a.id < b.id ? -1 : 1))
    .slice(0, KEYS_SHOWN_MAX);
}
