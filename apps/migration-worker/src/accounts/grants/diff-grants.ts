import type { ObjectGrant } from '../account-statements.js';

/** The output of SHOW GRANTS for one account. */
export interface PresentGrants {
  /** The rights by object. Objects and rights are spelled as the server prints them. */
  readonly objects: ReadonlyMap<string, ReadonlySet<string>>;
  /** The objects that the account holds with GRANT OPTION. */
  readonly passedOn: ReadonlySet<string>;
  /** The quoted names of roles. */
  readonly roles: readonly string[];
}

export interface GrantChanges {
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

const OBJECT_LINE = /^GRANT (.+?) ON (.+?) TO [`'"]/;
const ROLE_LINE = /^GRANT ([`'].+?) TO [`'"]/;

/** Parses the lines of SHOW GRANTS. */
export function parseGrants(lines: readonly string[]): PresentGrants {
  const objects = new Map<string, Set<string>>();
  const passedOn = new Set<string>();
  const roles: string[] = [];
  for (const line of lines) {
    const [, listed, object] = OBJECT_LINE.exec(line) ?? [];
    const role = ROLE_LINE.exec(line)?.[1];
    if (listed !== undefined && object !== undefined) {
      const rights = objects.get(object) ?? new Set<string>();
      for (const right of splitRights(listed)) if (right !== 'USAGE') rights.add(right);
      if (rights.size > 0) objects.set(object, rights);
      if (/ WITH (?:.* )?GRANT OPTION\b/.test(line)) passedOn.add(object);
    } else if (role !== undefined) {
      roles.push(role);
    }
  }
  return { objects, passedOn, roles };
}

/** Splits a list of rights at commas outside of parentheses: `SELECT (a, b), INSERT`. */
export function splitRights(listed: string): string[] {
  return listed.split(/,\s*(?![^(]*\))/).map((right) => right.trim());
}

/**
 * Returns the statements that turn an account's grants into `requested`. `isIgnored` matches objects whose
 * rights are managed elsewhere. Missing rights are granted before extra ones are revoked, so that a right
 * that stays is never absent.
 */
export function diffGrants(
  account: string,
  present: PresentGrants,
  requested: readonly ObjectGrant[],
  isIgnored: (object: string, rights: ReadonlySet<string>) => boolean = () => false,
): GrantChanges {
  const missing: string[] = [];
  const extra: string[] = [];
  const wantedRights = new Map(requested.map(({ object, rights }) => [object, splitRights(rights)]));
  for (const [object, rights] of wantedRights) {
    const absent = rights.filter((right) => present.objects.get(object)?.has(right) !== true);
    if (absent.length > 0) missing.push(`GRANT ${absent.join(', ')} ON ${object} TO ${account}`);
  }
  for (const [object, rights] of present.objects) {
    if (isIgnored(object, rights)) continue;
    const allowed = new Set(wantedRights.get(object));
    const surplus = [...rights].filter((right) => !allowed.has(right));
    if (surplus.length > 0) extra.push(revoke(surplus, object, account));
    // ALL PRIVILEGES includes the requested rights, so revoking it also revokes those.
    if (surplus.includes('ALL PRIVILEGES') && allowed.size > 0)
      extra.push(`GRANT ${[...allowed].join(', ')} ON ${object} TO ${account}`);
  }
  for (const object of present.passedOn) extra.push(`REVOKE GRANT OPTION ON ${object} FROM ${account}`);
  for (const role of present.roles) extra.push(`REVOKE ${role} FROM ${account}`);
  return { missing, extra };
}

function revoke(rights: readonly string[], object: string, account: string): string {
  return `REVOKE ${rights.includes('ALL PRIVILEGES') ? 'ALL PRIVILEGES' : rights.join(', ')} ON ${object} FROM ${account}`;
}
