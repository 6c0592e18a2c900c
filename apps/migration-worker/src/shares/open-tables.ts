import { NO_SUCH_THREAD } from '@rowhouse/errors';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { SharedUser } from '@rowhouse/platform-store';
import type { EngineKind } from '@rowhouse/schema-model';
import { isTenantSchema, readAccountName } from '../accounts/account-names.js';
import { withConnection } from '../servers/server-access.js';
import type { DirectSession, Verdict } from './judge-sessions.js';
import type { ListedSession } from './list-sessions.js';

/**
 * The score that a database must have before its sessions are ended, unless a session is opening tables. A
 * plain table counts 1 for each use in a statement.
 */
const SCORE_MIN = 10;
/** The characters of a definition's expressions that count as much as a plain table. */
const CHARACTERS_PER_POINT = 4_096;
/**
 * The weight from which cached tables are closed, even without a direct session. MySQL divides sessions into
 * 16 groups, and each group caches its own objects for a table.
 */
const HEAVY_WEIGHT = 5;
const HEAVY_EVERY_MS = 2_000;
/**
 * The time in milliseconds after which a statement of a gateway or worker is ended, if it is opening tables or
 * its database holds most of them. Most statements need far less time.
 */
const STATEMENT_MS = 500;
/**
 * The minimum time in milliseconds between two closings of a schema's tables. The next request opens a closed
 * table again.
 */
const CLOSE_EVERY_MS = 60_000;
const CLOSED_TABLES_MAX = 500;
const CLOSE_WAIT_SECONDS = 1;
/**
 * The time in milliseconds after which no further schema's tables are closed in a check. A schema whose
 * tables are in use takes `CLOSE_WAIT_SECONDS`, and the watch checks nothing else until then.
 */
const CLOSING_MS_MAX = 1_000;
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

/** Returns how much memory one use of a table takes, compared with a plain table. */
export type WeighTable = (table: OpenTable) => number;

/** Returns the schema with the highest score of tables in use. Returns null if no schema has `SCORE_MIN`. */
export function findTableHolder(open: readonly OpenTable[], weigh: WeighTable): string | null {
  const scores = new Map<string, number>();
  for (const table of open)
    if (table.inUse > 0)
      scores.set(table.schemaName, (scores.get(table.schemaName) ?? 0) + table.inUse * weigh(table));
  const [first] = [...scores].sort(([, a], [, b]) => b - a);
  return first !== undefined && first[1] >= SCORE_MIN ? first[0] : null;
}

/**
 * Weighs tables by the length of their expressions. On MySQL 9.7, one use of a table takes about 300 bytes for
 * each character of an expression. MariaDB limits a definition to 64 KB, so there all tables weigh the same.
 */
async function readWeights(provisioner: AdminConnection, open: readonly OpenTable[]): Promise<WeighTable> {
  const schemaNames = [...new Set(open.map(({ schemaName }) => schemaName))].filter(isTenantSchema);
  if (schemaNames.length === 0) return () => 1;
  const marks = schemaNames.map(() => '?').join(', ');
  const rows = await provisioner.rows<{ owner: string; name: string; characters: number | string }>(
    `SELECT TABLE_SCHEMA AS owner, TABLE_NAME AS name, SUM(characters) AS characters FROM (
        SELECT TABLE_SCHEMA, TABLE_NAME, LENGTH(GENERATION_EXPRESSION) + COALESCE(LENGTH(COLUMN_DEFAULT), 0) AS characters
          FROM information_schema.COLUMNS WHERE TABLE_SCHEMA IN (${marks})
        UNION ALL SELECT TABLE_SCHEMA, TABLE_NAME, LENGTH(EXPRESSION)
          FROM information_schema.STATISTICS WHERE TABLE_SCHEMA IN (${marks}) AND EXPRESSION IS NOT NULL
        UNION ALL SELECT t.TABLE_SCHEMA, t.TABLE_NAME, LENGTH(c.CHECK_CLAUSE)
          FROM information_schema.CHECK_CONSTRAINTS c JOIN information_schema.TABLE_CONSTRAINTS t
            ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME
          WHERE c.CONSTRAINT_SCHEMA IN (${marks})
      ) parts GROUP BY TABLE_SCHEMA, TABLE_NAME HAVING SUM(characters) > ${CHARACTERS_PER_POINT}`,
    [...schemaNames, ...schemaNames, ...schemaNames],
  );
  const weights = new Map(
    rows.map(({ owner, name, characters }) => [
      `${owner} ${name}`,
      1 + Number(characters) / CHARACTERS_PER_POINT,
    ]),
  );
  return ({ schemaName, name }) => weights.get(`${schemaName} ${name}`) ?? 1;
}

export interface TableMemoryWatch {
  /**
   * Ends sessions and statements while all tables together take more than `max` bytes. The first to
   * end are opening tables. Otherwise it is the database whose tables in use weigh most. No session's memory
   * includes that of open tables. One statement that names a wide table sixty times can take gigabytes, and
   * the server caches the tables for later statements. This therefore also closes heavy tables, and the tables
   * of databases that recently had direct sessions or were found here.
   *
   * A direct session is ended. A gateway or worker keeps its session, but its statement ends with an error.
   */
  check(input: TableMemoryInput): Promise<void>;
  /**
   * Returns whether tables took too much memory at the last check while a session was opening more, so that
   * the next check should follow soon.
   */
  isUrgent(): boolean;
}

export interface TableMemoryInput {
  readonly engine: EngineKind;
  readonly direct: readonly DirectSession[];
  /** All sessions, including those of gateways. */
  readonly listed: readonly ListedSession[];
  readonly users: ReadonlyMap<string, SharedUser>;
  readonly bytes: number;
  readonly max: number;
  readonly openProvisioner: () => Promise<AdminConnection>;
  /** Ends the sessions of the verdicts and records why. */
  readonly end: (verdicts: readonly Verdict[]) => Promise<void>;
}

interface Found {
  readonly sessions: readonly DirectSession[];
  /** Sessions of gateways and workers whose statement is to be ended. */
  readonly statements: readonly PlatformSession[];
}

export function createTableMemoryWatch(now: () => number = () => performance.now()): TableMemoryWatch {
  /** For each schema, when it last had a direct session, and when its tables were last closed. */
  const recent = new Map<string, { seenAtMs: number; closedAtMs: number }>();

  let isUrgent = false;
  let weighedAtMs = Number.NEGATIVE_INFINITY;
  let weigh: WeighTable = () => 1;

  function note(schemaNames: ReadonlySet<string>): void {
    for (const name of schemaNames)
      recent.set(name, {
        seenAtMs: now(),
        closedAtMs: recent.get(name)?.closedAtMs ?? Number.NEGATIVE_INFINITY,
      });
    for (const [name, { seenAtMs }] of recent) if (now() - seenAtMs > RECENT_MS) recent.delete(name);
  }

  /** Closes the tables of the schemas in `ended`, and every minute those of other recent schemas. */
  async function closeRecent(
    provisioner: AdminConnection,
    open: readonly OpenTable[],
    ended: ReadonlySet<string>,
  ): Promise<void> {
    await provisioner.run(`SET SESSION lock_wait_timeout = ${CLOSE_WAIT_SECONDS}`);
    const startedAtMs = now();
    const due = [...recent].filter(
      ([name, { closedAtMs }]) => ended.has(name) || now() - closedAtMs >= CLOSE_EVERY_MS,
    );
    for (const [name, times] of due.sort(([, a], [, b]) => a.closedAtMs - b.closedAtMs)) {
      if (now() - startedAtMs > CLOSING_MS_MAX) return;
      times.closedAtMs = now();
      await closeTables(provisioner, open, name);
    }
  }

  return {
    async check({ engine, direct, listed, users, bytes, max, openProvisioner, end }) {
      const schemaOf = (session: DirectSession): string => users.get(session.userName)?.schemaName ?? '';
      note(new Set(direct.map(schemaOf)));
      const platform = listed.flatMap(toPlatformSession);
      isUrgent = bytes > max && listed.some((item) => item.isOpeningTables);
      const isDue = engine === 'mysql' && now() - weighedAtMs >= HEAVY_EVERY_MS;
      if (bytes <= max || (recent.size === 0 && platform.length === 0 && !isDue)) return;
      await withConnection(openProvisioner(), async (provisioner) => {
        const open = await listOpenTables(provisioner);
        if (isDue) {
          weighedAtMs = now();
          weigh = await readWeights(provisioner, open);
        }
        let found = findOpening(direct, listed, platform);
        if (found.sessions.length + found.statements.length === 0) {
          const holder = findTableHolder(open, weigh);
          found = {
            sessions: direct.filter((session) => schemaOf(session) === holder),
            statements: platform.filter((item) => item.isOfGateway && item.schemaName === holder),
          };
        }
        for (const { id } of found.statements) await endStatement(provisioner, id);
        const verdicts = found.sessions.map((session): Verdict => ({
          session,
          bound: 'memory',
          reach: 'database',
          figure: bytes,
          max,
        }));
        if (verdicts.length > 0) await end(verdicts);
        const ended = new Set([
          ...found.sessions.map(schemaOf),
          ...found.statements.map(({ schemaName }) => schemaName),
        ]);
        const heavy = isDue ? open.filter((table) => weigh(table) >= HEAVY_WEIGHT) : [];
        for (const { schemaName } of heavy) ended.add(schemaName);
        note(ended);
        await closeRecent(provisioner, open, ended);
      });
    },
    isUrgent: () => isUrgent,
  };
}

/** A session of a gateway or a worker that has run a statement for at least `STATEMENT_MS`. */
interface PlatformSession {
  readonly id: number;
  readonly schemaName: string;
  readonly isOfGateway: boolean;
  readonly isOpeningTables: boolean;
}

function toPlatformSession({ id, user, isIdle, isOpeningTables, stateMs }: ListedSession): PlatformSession[] {
  const { kind, schemaName = null } = readAccountName(user) ?? {};
  if (schemaName === null || isIdle || (stateMs ?? 0) < STATEMENT_MS) return [];
  return [{ id, schemaName, isOfGateway: kind === 'rows' || kind === 'query', isOpeningTables }];
}

function findOpening(
  direct: readonly DirectSession[],
  listed: readonly ListedSession[],
  platform: readonly PlatformSession[],
): Found {
  const opening = new Set(listed.filter((item) => item.isOpeningTables).map(({ id }) => id));
  return {
    sessions: direct.filter(({ id }) => opening.has(id)),
    statements: platform.filter((item) => item.isOpeningTables),
  };
}

/** Ends a statement but not its session. Ignores a session that has already ended. */
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
