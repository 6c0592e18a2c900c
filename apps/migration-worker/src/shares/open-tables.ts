import { NO_SUCH_THREAD } from '@rowhouse/errors';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { SharedUser } from '@rowhouse/platform-store';
import type { EngineKind } from '@rowhouse/schema-model';
import { withConnection } from '../servers/server-access.js';
import type { DirectSession, Verdict } from './judge-sessions.js';
import type { ListedSession } from './list-sessions.js';

/**
 * The number of table instances that a database must use before its sessions are ended, unless a session is
 * opening tables. An instance is one occurrence of a table name in a running statement.
 */
const INSTANCES_MIN = 10;
/**
 * If a gateway's statement is still opening tables after this time, in milliseconds, it is ended. It names
 * too many tables, or tables that are too large.
 */
const OPENING_MS = 1_000;
/** Matches the accounts of gateways, and captures their schema. */
const GATEWAY_ACCOUNT = /^(p[a-z2-7]{15})[rqw]/;
/**
 * The minimum time in milliseconds between two closings of a schema's tables. The next request opens a closed
 * table again.
 */
const CLOSE_EVERY_MS = 60_000;
const CLOSED_TABLES_MAX = 500;
const CLOSE_WAIT_SECONDS = 2;
/**
 * The time in milliseconds after a schema's last direct session in which its cached tables may still be
 * closed.
 */
const RECENT_MS = 5 * 60_000;

const BYTES_SQL: Readonly<Record<EngineKind, string>> = {
  mysql: `SELECT CURRENT_NUMBER_OF_BYTES_USED AS bytes
    FROM performance_schema.memory_summary_global_by_event_name WHERE EVENT_NAME = 'memory/sql/TABLE'`,
  mariadb: `SELECT VARIABLE_VALUE AS bytes
    FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'MEMORY_USED'`,
};

/** The number of open instances of a table. `inUse` is 0 for tables that are only cached. */
export interface OpenTable {
  readonly schemaName: string;
  readonly name: string;
  readonly inUse: number;
}

/**
 * Returns the memory that belongs to no session, in bytes. Most of it belongs to open tables, which the
 * server caches for later statements. MySQL counts the memory of tables, and MariaDB all memory except that
 * of InnoDB.
 */
export async function readTableBytes(
  observer: AdminConnection,
  engine: EngineKind,
  listed: readonly ListedSession[],
): Promise<number> {
  const [row] = await observer.rows<{ bytes: number | string }>(BYTES_SQL[engine]);
  const ofSessions =
    engine === 'mysql' ? 0 : listed.reduce((sum, { memoryBytes }) => sum + Math.max(0, memoryBytes), 0);
  return Number(row?.bytes ?? 0) - ofSessions;
}

/** Lists the open tables. The account needs a right on the tables. */
export async function listOpenTables(provisioner: AdminConnection): Promise<OpenTable[]> {
  const rows = await provisioner.rows<{ Database: string; Table: string; In_use: number | string }>(
    'SHOW OPEN TABLES',
  );
  return rows.map((row) => ({ schemaName: row.Database, name: row.Table, inUse: Number(row.In_use) }));
}

/** Returns the schema with the most table instances in use. Returns null if no schema has enough of them. */
export function findTableHolder(open: readonly OpenTable[], schemaNames: ReadonlySet<string>): string | null {
  const counts = new Map<string, number>();
  for (const { schemaName, inUse } of open)
    if (schemaNames.has(schemaName)) counts.set(schemaName, (counts.get(schemaName) ?? 0) + inUse);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first !== undefined && first[1] >= INSTANCES_MIN ? first[0] : null;
}

export interface TableMemoryWatch {
  /**
   * Ends sessions while all tables together take more than `max` bytes. It ends the sessions that are opening
   * tables, or else those of the database that uses the most tables. The memory of open tables is not counted
   * for any session. A statement that names a wide table sixty times can take gigabytes, and the server
   * caches the tables for later statements. Tables of databases that recently had direct sessions are
   * therefore closed as well.
   */
  check(input: TableMemoryInput): Promise<readonly Verdict[]>;
}

export interface TableMemoryInput {
  readonly direct: readonly DirectSession[];
  /** All sessions, including those of gateways. */
  readonly listed: readonly ListedSession[];
  readonly users: ReadonlyMap<string, SharedUser>;
  readonly bytes: number;
  readonly max: number;
  readonly openProvisioner: () => Promise<AdminConnection>;
  readonly end: (ids: readonly number[]) => Promise<void>;
}

export function createTableMemoryWatch(now: () => number = () => performance.now()): TableMemoryWatch {
  /** For each schema, when it last had a direct session, and when its tables were last closed. */
  const recent = new Map<string, { seenAtMs: number; closedAtMs: number }>();

  function note(schemaNames: ReadonlySet<string>): void {
    for (const name of schemaNames)
      recent.set(name, {
        seenAtMs: now(),
        closedAtMs: recent.get(name)?.closedAtMs ?? Number.NEGATIVE_INFINITY,
      });
    for (const [name, { seenAtMs }] of recent) if (now() - seenAtMs > RECENT_MS) recent.delete(name);
  }

  return {
    async check({ direct, listed, users, bytes, max, openProvisioner, end }) {
      const schemaOf = (session: DirectSession): string => users.get(session.userName)?.schemaName ?? '';
      const schemaNames = new Set(direct.map(schemaOf));
      const readers = findReaders(listed);
      note(new Set([...schemaNames, ...readers.map(({ schemaName }) => schemaName)]));
      if (bytes <= max || recent.size === 0) return [];
      return withConnection(openProvisioner(), async (provisioner) => {
        const open = await listOpenTables(provisioner);
        for (const { id } of readers) await endStatement(provisioner, id);
        const opening = new Set(listed.filter((item) => item.isOpeningTables).map(({ id }) => id));
        const isOpening = readers.length > 0 || direct.some(({ id }) => opening.has(id));
        const holder = isOpening ? null : findTableHolder(open, schemaNames);
        const found = direct.filter((session) =>
          isOpening ? opening.has(session.id) : schemaOf(session) === holder,
        );
        const verdicts = found.map((session): Verdict => ({
          session,
          bound: 'memory',
          reach: 'database',
          figure: bytes,
          max,
        }));
        await end(verdicts.map(({ session }) => session.id));
        const ended = new Set([...found.map(schemaOf), ...readers.map(({ schemaName }) => schemaName)]);
        await provisioner.run(`SET SESSION lock_wait_timeout = ${CLOSE_WAIT_SECONDS}`);
        for (const [name, times] of recent) {
          if (!ended.has(name) && now() - times.closedAtMs < CLOSE_EVERY_MS) continue;
          times.closedAtMs = now();
          await closeTables(provisioner, open, name);
        }
        return verdicts;
      });
    },
  };
}

/** Returns the gateways' sessions whose statement has been opening tables for longer than `OPENING_MS`. */
function findReaders(listed: readonly ListedSession[]): { id: number; schemaName: string }[] {
  return listed.flatMap(({ id, user, isOpeningTables, stateMs }) => {
    const schemaName = GATEWAY_ACCOUNT.exec(user)?.[1];
    const isLong = isOpeningTables && (stateMs ?? 0) >= OPENING_MS;
    return schemaName !== undefined && isLong ? [{ id, schemaName }] : [];
  });
}

/** Ends a gateway's statement but not its session. Ignores a session that has already ended. */
async function endStatement(provisioner: AdminConnection, id: number): Promise<void> {
  try {
    await provisioner.run(`KILL QUERY ${id}`);
  } catch (error) {
    if (readServerFault(error)?.errno !== NO_SUCH_THREAD) throw error;
  }
}

/**
 * Closes the cached tables of a schema. Tables stay open if a statement that uses them does not end in time.
 */
async function closeTables(
  provisioner: AdminConnection,
  open: readonly OpenTable[],
  schemaName: string,
): Promise<void> {
  const tables = open.filter((table) => table.schemaName === schemaName).slice(0, CLOSED_TABLES_MAX);
  if (tables.length === 0) return;
  const list = tables.map(({ name }) => `${quoteName(schemaName)}.${quoteName(name)}`).join(', ');
  try {
    await provisioner.run(`FLUSH LOCAL TABLES ${list}`);
  } catch (error) {
    if (readServerFault(error)?.isConnectionLost !== false) throw error;
  }
}
