/**
 * The kinds of accounts on a database server, by what they are for:
 *
 * - `rows` and `query`: gateways. A `query` account may be narrowed to the rights of a key.
 * - `migrator` and `definer`: workers, for a tenant's schema.
 * - `scratch`: workers, for a scratch database, which has the same name.
 * - `connection`: a user's direct connection.
 */
export type AccountNameKind = 'rows' | 'query' | 'migrator' | 'definer' | 'scratch' | 'connection';

export interface AccountName {
  readonly kind: AccountNameKind;
  /** The schema that the account works on. Null for direct connections, whose names do not contain it. */
  readonly schemaName: string | null;
}

const OF_SCHEMA = /^(p[a-z2-7]{15})(?:([rmd])$|[qw])/;
const OTHER = /^([xu])[a-z2-7]{20}$/;
const KINDS: Readonly<Record<string, AccountNameKind>> = { r: 'rows', m: 'migrator', d: 'definer' };

/** Parses the name of an account. Returns null for the platform's other accounts and those of others. */
export function readAccountName(user: string): AccountName | null {
  const [, schemaName, letter] = OF_SCHEMA.exec(user) ?? [];
  if (schemaName !== undefined) return { kind: KINDS[letter ?? ''] ?? 'query', schemaName };
  const [, other] = OTHER.exec(user) ?? [];
  if (other === undefined) return null;
  return other === 'x' ? { kind: 'scratch', schemaName: user } : { kind: 'connection', schemaName: null };
}

/** Returns whether a schema belongs to a tenant's database, or is a scratch database. */
export function isTenantSchema(name: string): boolean {
  return /^(?:p[a-z2-7]{15}|x[a-z2-7]{20})$/.test(name);
}
