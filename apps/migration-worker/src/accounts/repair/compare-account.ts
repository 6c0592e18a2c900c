import { sideSchemaName } from '@rowhouse/contracts';
import { quoteName } from '@rowhouse/mysql';
import type { AccountWithSchema, WorkerServer } from '@rowhouse/platform-store';
import { ACCOUNT_SPECS } from '../account-statements.js';
import { splitRights } from '../grants/diff-grants.js';
import type { GrantRow, ServerAccount } from '../read-accounts.js';
import { isRowRight } from './repair-account.js';

export const NOT_LOCKED = 'the account is not locked';
export const OTHER_LIMIT = 'the account has another session limit';

export interface ComparedAccount {
  readonly server: WorkerServer;
  readonly account: AccountWithSchema;
  /** The account on the server; null when the server has no such account. */
  readonly present: ServerAccount | null;
  readonly grants: readonly GrantRow[];
  /**
   * Whether the server stores the password that the platform has set. Null if the password was not checked.
   */
  readonly isPasswordOurs: boolean | null;
  /** Whether a worker is opening a session, so that the account is unlocked for a moment. */
  readonly isInUse: boolean;
}

/** Returns the differences between an account and its spec. Each is described in one sentence. */
export function compareAccount(compared: ComparedAccount): string[] {
  const { present, account, server, isPasswordOurs, isInUse } = compared;
  if (present === null) return ['the account does not exist'];
  const spec = ACCOUNT_SPECS[account.kind];
  const found: string[] = [];
  if (isPasswordOurs === false) found.push('the password was changed');
  if (present.isExpired) found.push('the password has expired');
  if (spec.isLocked && !present.isLocked && !isInUse) found.push(NOT_LOCKED);
  if (!spec.isLocked && present.isLocked) found.push('the account is locked');
  if (present.connectionsMax !== spec.limits(server).connectionsMax) found.push(OTHER_LIMIT);
  if (present.tls !== (server.tls === 'required' ? 'any' : 'none'))
    found.push('the account has a different TLS requirement');
  if (present.hasGlobalRights) found.push('the account has rights on the whole server or a role');
  return [...found, ...compareGrants(compared)];
}

function compareGrants({ account, grants }: ComparedAccount): string[] {
  const { schemaName } = account;
  const spec = ACCOUNT_SPECS[account.kind];
  const requested = new Map(
    spec.grants(schemaName).map(({ object, rights }) => [object, new Set(splitRights(rights))]),
  );
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const { schema, table, rights } of grants) {
    const object = `${quoteName(schema)}.${table === '' ? '*' : quoteName(table)}`;
    seen.add(object);
    const allowed = requested.get(object);
    if (spec.hasTableGrants && schema === schemaName && [...rights].every(isRowRight)) continue;
    if ([...rights].some((right) => allowed?.has(right) !== true))
      found.add(`the account has more rights on ${object} than it should`);
    if ([...(allowed ?? [])].some((right) => !rights.has(right)))
      found.add(`the account lacks rights on ${object}`);
  }
  for (const object of requested.keys()) {
    // In a database of an older version, tables in the side schema, and the rights on them, are created only
    // when they are needed.
    const isOptional =
      object.startsWith(`${quoteName(sideSchemaName(schemaName))}.`) && !object.endsWith('.*');
    if (!seen.has(object) && !isOptional) found.add(`the account lacks rights on ${object}`);
  }
  return [...found];
}
