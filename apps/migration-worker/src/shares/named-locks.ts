import type { AdminConnection } from '@rowhouse/mysql';
import type { EngineKind } from '@rowhouse/schema-model';

/**
 * The number of allocations that MySQL makes for each lock: the lock, and its entry in the session's table
 * of locks.
 */
const ALLOCATIONS_PER_LOCK = 2;
const EVENT = "EVENT_NAME = 'memory/sql/User_level_lock'";

/**
 * The queries that list the named locks, by engine. If the performance schema is off, they return no rows.
 */
const LOCKS_SQL: Readonly<Record<EngineKind, string>> = {
  mysql: `SELECT t.PROCESSLIST_ID AS id, m.CURRENT_COUNT_USED DIV ${ALLOCATIONS_PER_LOCK} AS locks
    FROM performance_schema.memory_summary_by_thread_by_event_name m
      JOIN performance_schema.threads t ON t.THREAD_ID = m.THREAD_ID
    WHERE m.${EVENT} AND m.CURRENT_COUNT_USED > 0 AND t.PROCESSLIST_ID IS NOT NULL`,
  mariadb: `SELECT t.PROCESSLIST_ID AS id, l.locks
    FROM (SELECT OWNER_THREAD_ID AS thread, COUNT(*) AS locks FROM performance_schema.metadata_locks
        WHERE OBJECT_TYPE = 'USER LEVEL LOCK' GROUP BY OWNER_THREAD_ID) l
      JOIN performance_schema.threads t ON t.THREAD_ID = l.thread
    WHERE t.PROCESSLIST_ID IS NOT NULL`,
};

export interface NamedLocksInput {
  readonly engine: EngineKind;
  /** If the server has at most this number of locks, they are not counted by session. */
  readonly min: number;
  /** Whether this check also reads values that change slowly. This is the case in each fifth check. */
  readonly isLongCheck: boolean;
}

export interface NamedLocksWatch {
  /**
   * Returns how many GET_LOCK locks each session holds. The map is empty while the server has few of them.
   * MySQL counts the locks of a server in one row, which is read first. MariaDB has no such count, so its
   * locks are listed in long checks, and more often while there are many. They cannot become many quickly,
   * because MariaDB needs quadratic time for a session's locks.
   */
  read(observer: AdminConnection, input: NamedLocksInput): Promise<ReadonlyMap<number, number>>;
}

export function createNamedLocksWatch(): NamedLocksWatch {
  let hasMany = false;
  return {
    async read(observer, { engine, min, isLongCheck }) {
      if (engine === 'mysql' && (await countLocks(observer)) <= min) return new Map();
      if (engine === 'mariadb' && !isLongCheck && !hasMany) return new Map();
      const rows = await observer.rows<{ id: number | string; locks: number | string }>(LOCKS_SQL[engine]);
      const bySession = new Map(rows.map(({ id, locks }) => [Number(id), Number(locks)]));
      hasMany = [...bySession.values()].reduce((sum, locks) => sum + locks, 0) > min;
      return bySession;
    },
  };
}

async function countLocks(observer: AdminConnection): Promise<number> {
  const [row] = await observer.rows<{ allocations: number | string }>(
    `SELECT CURRENT_COUNT_USED AS allocations FROM performance_schema.memory_summary_global_by_event_name WHERE ${EVENT}`,
  );
  return Number(row?.allocations ?? 0) / ALLOCATIONS_PER_LOCK;
}
