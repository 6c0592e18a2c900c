import type { ListedSession } from './list-sessions.js';

/**
 * The run time in milliseconds after which a statement is suspicious. The gateway stops a statement after ten
 * seconds. A statement that runs longer is a stream, or ignores KILL.
 */
const STATEMENT_MS = 12_000;
/**
 * The run time for statements of migrators. Changes of large tables take minutes, and their clients wait for
 * them.
 */
const MIGRATION_MS = 60_000;
/**
 * Matches accounts whose statements run the SQL of tenants: those of gateways, definer and scratch accounts,
 * and connection users. Triggers and views may run any SQL.
 */
const TENANT_ACCOUNT = /^(?:p[a-z2-7]{15}(?:[qw]|[rd]$)|[ux][a-z2-7]{20}$)/;
const MIGRATOR = /^p[a-z2-7]{15}m$/;

/**
 * Returns sessions whose statement still runs although its caller got an error or its connection was revoked.
 * Some functions of both engines do not check for KILL while they run.
 * @param isShared whether the limits of the user's organization apply to the session anyway
 */
export function findOrphans(listed: readonly ListedSession[], isShared: (user: string) => boolean): number[] {
  const isOrphan = ({ user, isIdle, isWaiting, stateMs }: ListedSession): boolean => {
    if (isIdle || isWaiting) return false;
    if (MIGRATOR.test(user)) return (stateMs ?? 0) >= MIGRATION_MS;
    return TENANT_ACCOUNT.test(user) && !isShared(user) && (stateMs ?? 0) >= STATEMENT_MS;
  };
  return listed.filter(isOrphan).map(({ id }) => id);
}
