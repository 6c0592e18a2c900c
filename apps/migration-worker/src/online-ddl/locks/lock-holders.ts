import { setTimeout as pause } from 'node:timers/promises';
import type { AdminConnection } from '@rowhouse/mysql';
import { killThread } from '../../servers/kill-thread.js';

const HOLDERS_SQL = (
  tables: number,
): string => `SELECT DISTINCT t.PROCESSLIST_ID AS id, t.PROCESSLIST_COMMAND AS command, t.PROCESSLIST_TIME AS seconds
  FROM performance_schema.metadata_locks l JOIN performance_schema.threads t ON t.THREAD_ID = l.OWNER_THREAD_ID
  WHERE l.OBJECT_TYPE = 'TABLE' AND l.OBJECT_SCHEMA = ? AND l.OBJECT_NAME IN (${Array.from({ length: tables }, () => '?').join(', ')}) AND l.LOCK_STATUS = 'GRANTED'
    AND t.PROCESSLIST_ID <> ? AND (t.PROCESSLIST_COMMAND = 'Sleep' OR t.PROCESSLIST_TIME > 0)`;

interface Holder {
  readonly id: number;
  readonly command: string | null;
  readonly seconds: number | null;
}

/**
 * The delay before a session is checked again, in milliseconds. A session also looks idle between two
 * statements of a short transaction. If it really keeps its lock, it is still idle after this delay.
 */
const CHECK_AGAIN_MS = 8;

function listHolders(
  watcher: AdminConnection,
  ownThreadId: number,
  schemaName: string,
  tables: readonly string[],
): Promise<Holder[]> {
  return watcher.rows<Holder>(HOLDERS_SQL(tables.length), [schemaName, ...tables, ownThreadId]);
}

/**
 * Returns whether a session holds one of the tables and is unlikely to release it soon. Such a session is
 * idle in a transaction, or active for a second or more.
 */
export async function isHeld(
  watcher: AdminConnection,
  ownThreadId: number,
  schemaName: string,
  tables: readonly string[],
): Promise<boolean> {
  const first = await listHolders(watcher, ownThreadId, schemaName, tables);
  if (first.length === 0) return false;
  if (first.some((holder) => Number(holder.seconds) > 0)) return true;
  await pause(CHECK_AGAIN_MS);
  const ids = new Set(first.map((holder) => holder.id));
  return (await listHolders(watcher, ownThreadId, schemaName, tables)).some((holder) => ids.has(holder.id));
}

/** Ends idle sessions that hold one of the tables. Their uncommitted changes are rolled back. */
export async function endHolders(
  watcher: AdminConnection,
  ownThreadId: number,
  schemaName: string,
  tables: readonly string[],
): Promise<number> {
  const idle = (await listHolders(watcher, ownThreadId, schemaName, tables)).filter(
    (holder) => holder.command === 'Sleep',
  );
  for (const holder of idle) await killThread(watcher, Number(holder.id));
  return idle.length;
}
