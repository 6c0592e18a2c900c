import type { ListedSession } from './list-sessions.js';

/**
 * The run time in milliseconds after which a statement is suspicious. The gateway stops a statement after ten
 * seconds. A statement that runs longer is a stream, or ignores KILL.
 */
const STATEMENT_MS = 12_000;
/** Matches accounts for users' SQL (`q`, `w` and a hash) and connection users. */
const TENANT_ACCOUNT = /^(?:p[a-z2-7]{15}[qw]|u[a-z2-7]{20}$)/;

/**
 * Returns sessions whose statement still runs although its caller got an error or its connection was revoked.
 * Some functions of both engines do not check for KILL while they run.
 * @param isShared whether the limits of the user's organization apply to the session anyway
 */
export function findOrphans(listed: readonly ListedSession[], isShared: (user: string) => boolean): number[] {
  const isOrphan = ({ user, isIdle, isWaiting, stateMs }: ListedSession): boolean =>
    TENANT_ACCOUNT.test(user) && !isShared(user) && !isIdle && !isWaiting && (stateMs ?? 0) >= STATEMENT_MS;
  return listed.filter(isOrphan).map(({ id }) => id);
}
