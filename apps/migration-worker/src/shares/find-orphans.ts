import { readAccountName } from '../accounts/account-names.js';
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
 * Returns sessions whose statement still runs although its caller got an error or its connection was revoked.
 * Some functions of both engines do not check for KILL while they run.
 * @param isShared whether the limits of the user's organization apply to the session anyway
 */
export function findOrphans(listed: readonly ListedSession[], isShared: (user: string) => boolean): number[] {
  const isOrphan = ({ user, isIdle, isWaiting, stateMs }: ListedSession): boolean => {
    const account = readAccountName(user);
    // Every known account may run the SQL of tenants, because triggers and views may run any SQL.
    if (account === null || isIdle || isWaiting) return false;
    if (account.kind === 'migrator') return (stateMs ?? 0) >= MIGRATION_MS;
    return !isShared(user) && (stateMs ?? 0) >= STATEMENT_MS;
  };
  return listed.filter(isOrphan).map(({ id }) => id);
}
