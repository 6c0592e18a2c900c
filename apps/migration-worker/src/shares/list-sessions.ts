import { HALF_OPEN_LOGINS, SESSION_AMOUNTS, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { EngineKind } from '@rowhouse/schema-model';
import { parseProcessors } from './thread-system.js';

export interface HalfOpenLogin {
  readonly id: number;
  /** The client's address; on MariaDB with a port. */
  readonly client: string;
}

/** A session of any account as the server describes it. */
export interface ListedSession {
  readonly id: number;
  readonly user: string;
  /** The client's address; on MariaDB with a port. */
  readonly client: string;
  readonly isIdle: boolean;
  /** Whether the session was killed. Its thread may not have noticed yet. Only MariaDB reports this. */
  readonly isKilled: boolean;
  /** Whether the session waits for a lock, or sleeps in a statement. */
  readonly isWaiting: boolean;
  /** Whether the session's statement is opening tables. Most statements do so for milliseconds only. */
  readonly isOpeningTables: boolean;
  /** Whether the session's ALTER TABLE reads rows for new indexes. Only MySQL reports this. */
  readonly isBuildingIndexes: boolean;
  /** The time in the current state, in milliseconds; null on MySQL before the session has logged in. */
  readonly stateMs: number | null;
  /**
   * A text that changes with each statement and state. Null if the session cannot change `stateMs` itself.
   */
  readonly stateKey: string | null;
  /** The session's memory in bytes; 0 if the server does not measure it. */
  readonly memoryBytes: number;
  /**
   * The memory in bytes that the server may keep for the session, although the session has freed it. Pieces
   * between others cannot be returned to the operating system. Only MariaDB reports what it derives from.
   */
  readonly keptBytes: number;
}

/** The part of a session's highest memory that counts for as long as the session lives. */
const KEPT_SHARE = 0.5;

interface SessionRow {
  readonly id: number | string;
  readonly user: string | null;
  readonly client: string | null;
  readonly command: string | null;
  readonly state: string | null;
  readonly state_ms: number | string | null;
  readonly statement_id: number | string | null;
  readonly memory: number | string | null;
  readonly peak: number | string | null;
}

/** Matches states in which a session takes no processor time. */
const WAITS = /^(Waiting|User (sleep|lock))/i;

/** Matches versions of MySQL before 8.3, which do not report the memory of a session. */
const WITHOUT_MEMORY = /^[1-7]\.|^8\.[0-2]\./;

export async function listSessions(
  observer: AdminConnection,
  { engine, engineVersion }: Pick<WorkerServer, 'engine' | 'engineVersion'>,
): Promise<ListedSession[]> {
  const isMeasured = engine === 'mariadb' || !WITHOUT_MEMORY.test(engineVersion);
  const rows = await observer.rows<SessionRow>(
    isMeasured ? SESSION_AMOUNTS[engine] : SESSION_AMOUNTS[engine].replace('TOTAL_MEMORY', '0'),
  );
  return rows.map((row) => ({
    id: Number(row.id),
    user: row.user ?? '',
    client: row.client ?? '',
    isIdle: row.command === 'Sleep',
    isKilled: row.command === 'Killed',
    isWaiting: WAITS.test(row.state ?? ''),
    isOpeningTables: row.state?.startsWith('Opening table') === true,
    isBuildingIndexes: row.state?.startsWith('alter table (') === true,
    stateMs: row.state_ms === null ? null : Number(row.state_ms),
    stateKey: row.statement_id === null ? null : `${row.id} ${row.command} ${row.statement_id}`,
    memoryBytes: Number(row.memory ?? 0),
    keptBytes: Math.floor(Number(row.peak ?? 0) * KEPT_SHARE),
  }));
}

/** Returns the sessions that have not logged in. */
export async function listHalfOpen(observer: AdminConnection, engine: EngineKind): Promise<HalfOpenLogin[]> {
  const rows = await observer.rows<{ id: number | string; client: string | null }>(HALF_OPEN_LOGINS[engine]);
  return rows.map((row) => ({ id: Number(row.id), client: row.client ?? '' }));
}

/**
 * Returns the bytes of temporary tables on disk, by session. MariaDB does not report which session a
 * temporary table belongs to.
 */
export async function listTempBytes(
  observer: AdminConnection,
  engine: EngineKind,
): Promise<Map<number, number>> {
  if (engine !== 'mysql') return new Map();
  const rows = await observer.rows<{ id: number | string; bytes: number | string }>(
    'SELECT ID AS id, SUM(SIZE) AS bytes FROM information_schema.INNODB_SESSION_TEMP_TABLESPACES WHERE ID > 0 GROUP BY ID',
  );
  return new Map(rows.map((row) => [Number(row.id), Number(row.bytes)]));
}

export interface OpenTransaction {
  /**
   * Identifies the transaction within its session. The caller measures how old the transaction is, because
   * engines report times in their own time zone.
   */
  readonly key: string;
  readonly isWaiting: boolean;
}

/** Returns the open transaction of each session. */
export async function listTransactions(observer: AdminConnection): Promise<Map<number, OpenTransaction>> {
  const rows = await observer.rows<{ id: number | string; started: string; state: string }>(
    'SELECT trx_mysql_thread_id AS id, CAST(trx_started AS CHAR) AS started, trx_state AS state FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id > 0',
  );
  // The key is the start of the transaction, because the id of a read-only transaction changes.
  return new Map(
    rows.map((row) => [
      Number(row.id),
      { key: `${row.id} ${row.started}`, isWaiting: row.state === 'LOCK WAIT' },
    ]),
  );
}

export interface ServerSize {
  readonly connectionsMax: number;
  readonly processors: number;
  /** The number of threads that the server retains for new sessions. */
  readonly threadCache: number;
}

/**
 * Returns the server's limits and its number of processors. On MariaDB, the number is the size of the thread
 * pool, and MySQL lists its processors.
 */
export async function readServerSize(observer: AdminConnection, engine: EngineKind): Promise<ServerSize> {
  const processors =
    engine === 'mariadb'
      ? '@@GLOBAL.thread_pool_size'
      : "(SELECT VCPU_IDS FROM information_schema.RESOURCE_GROUPS WHERE RESOURCE_GROUP_NAME = 'USR_default')";
  const [row] = await observer.rows<{
    max: number | string;
    processors: Buffer | number | string | null;
    cache: number | string;
  }>(
    `SELECT @@GLOBAL.max_connections AS max, ${processors} AS processors, @@GLOBAL.thread_cache_size AS cache`,
  );
  return {
    connectionsMax: Number(row?.max),
    processors: countProcessors(String(row?.processors ?? '')),
    threadCache: Number(row?.cache),
  };
}

/** Returns the number of processors in a text such as `16` or `0-3,5`. */
export function countProcessors(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  return Math.max(1, parseProcessors(text).length);
}

/** Returns the operating system's thread ids: by session, and of all threads of the server. */
export async function listThreads(
  observer: AdminConnection,
): Promise<{ readonly bySession: ReadonlyMap<number, number>; readonly all: readonly number[] }> {
  const rows = await observer.rows<{ id: number | string | null; tid: number | string | null }>(
    'SELECT PROCESSLIST_ID AS id, THREAD_OS_ID AS tid FROM performance_schema.threads WHERE THREAD_OS_ID IS NOT NULL',
  );
  const known = rows.map((row) => ({ id: row.id === null ? null : Number(row.id), tid: Number(row.tid) }));
  return {
    bySession: new Map(known.flatMap(({ id, tid }) => (id === null ? [] : [[id, tid] as const]))),
    all: known.map(({ tid }) => tid),
  };
}
