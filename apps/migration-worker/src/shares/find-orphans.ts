import type { ListedSession } from './list-sessions.js';

/** The gateway stops a statement after ten seconds. What works longer is a stream, or does not end when it is killed. */
const STATEMENT_MS = 12_000;
/** Accounts that SQL of users runs on (`q`, `w` and a hash), and connection users. */
const TENANT_ACCOUNT = /^(?:p[a-z2-7]{15}[qw]|u[a-z2-7]{20}$)/;

/**
 * Returns the sessions whose statement goes on although its caller was told that it ended, or although its connection was
 * revoked. Some functions of both engines look for no KILL while they work.
 *
 * @param isShared whether a user's sessions are judged by their organization's share anyway
 */
export function findOrphans(listed: readonly ListedSession[], isShared: (user: string) => boolean): number[] {
  const isOrphan = ({ user, isIdle, isWaiting, stateMs }: ListedSession): boolean =>
    TENANT_ACCOUNT.test(user) && !isShared(user) && !isIdle && !isWaiting && (stateMs ?? 0) >= STATEMENT_MS;
  return listed.filter(isOrphan).map(({ id }) => id);
}
