import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { createLazyConnection } from '../servers/lazy-connection.js';
import { nameNode } from '../servers/node-failure-tracker.js';
import { listNodes } from '../servers/server-access.js';
import type { WorkerContext, DatabaseAccess } from '../worker-context.js';
import { createSerialCheck } from './serial-check.js';

/**
 * How long a lease allows a worker to watch a server, in milliseconds. The worker renews the lease before
 * that.
 */
export const HOLD_LEASE_MS = 8_000;

/** The server's counters of statements that change the content of a snapshot. */
const DDL_COUNTERS = [
  'alter_table',
  'create_table',
  'drop_table',
  'rename_table',
  'create_index',
  'drop_index',
  'create_view',
  'drop_view',
  'create_db',
  'drop_db',
  'alter_db',
  'create_trigger',
  'drop_trigger',
  'create_procedure',
  'create_function',
  'drop_procedure',
  'drop_function',
  'alter_procedure',
  'alter_function',
] as const;
const GATE_SQL = `SHOW GLOBAL STATUS WHERE Variable_name IN (${DDL_COUNTERS.map((name) => `'Com_${name}'`).join(', ')})`;
const EVENTS = DDL_COUNTERS.map((name) => `'statement/sql/${name}'`).join(', ');
/**
 * Returns the FROM clause for reading the threads of the given users. MySQL then starts from these threads
 * and finds the summary of each by its index, so that it skips the many threads of gateways.
 */
const threadsSql = (
  users: number,
): string => `SELECT t.PROCESSLIST_USER AS user, t.PROCESSLIST_ID AS id, SUM(e.COUNT_STAR) AS n
  FROM performance_schema.threads t
  STRAIGHT_JOIN performance_schema.events_statements_summary_by_thread_by_event_name e ON e.THREAD_ID = t.THREAD_ID AND e.EVENT_NAME IN (${EVENTS})
  WHERE t.PROCESSLIST_USER IN (${listMarks(users)}) AND e.COUNT_STAR > 0
  GROUP BY t.PROCESSLIST_USER, t.PROCESSLIST_ID`;
/**
 * Reads the counters of accounts, which are pairs of user and host. The summaries by user are not used: for
 * them, the server scans all accounts once for each user ever seen. On MariaDB with 5,000 users, they take
 * 240 ms instead of 4 ms.
 */
const accountsSql = (users: number): string =>
  `SELECT USER AS user, TOTAL_CONNECTIONS AS total, CURRENT_CONNECTIONS AS open FROM performance_schema.accounts WHERE ${users > NAMED_MAX ? 'USER IS NOT NULL' : `USER IN (${listMarks(users)})`}`;
/** The maximum number of users that a query names. With more users, all users are read. */
const NAMED_MAX = 500;
const listMarks = (many: number): string => Array.from({ length: many }, () => '?').join(', ');

const RUNNING_SQL = `SELECT 1 FROM performance_schema.events_statements_current WHERE EVENT_NAME IN (${EVENTS}) AND END_EVENT_ID IS NULL LIMIT 1`;
/**
 * The number of further checks after the counters have changed. The server counts a statement when it begins,
 * but updates the thread's summary only when the statement ends.
 */
const LOOKS_AFTER_MOVE = 4;

/** Databases whose connection users may have changed a schema, with the users that were seen. */
export type SuspectedDatabases = ReadonlyMap<string, readonly string[]>;

export interface ServerWatch {
  /**
   * Checks all nodes and reports what may have changed since the last check. If a check is in progress, no
   * other check starts. Each node of a cluster is checked independently, so that a slow or unreachable node
   * does not delay the others. Never throws.
   */
  check(): Promise<void>;
  /** Runs a check of every node that begins after this call. Never throws. */
  checkAgain(): Promise<void>;
  /** Returns whether the server still has the address that is watched. */
  isOf(server: WorkerServer): boolean;
  close(): Promise<void>;
}

/**
 * Watches a server. In a cluster, it watches all nodes, because a node counts only the statements that were
 * sent to it.
 */
export function createServerWatch(
  ctx: Pick<WorkerContext, 'access' | 'directory' | 'logger'>,
  server: WorkerServer,
  onSuspects: (suspects: SuspectedDatabases) => void,
): ServerWatch {
  const looks = listNodes(server).map((node) => {
    const watch = createNodeWatch(ctx, node);
    return {
      watch,
      ...createSerialCheck(
        async () => onSuspects(await watch.check()),
        (error) =>
          ctx.logger.warn(
            { server: server.id, node: nameNode(node), err: error },
            'a server could not be watched',
          ),
      ),
    };
  });
  const all = async (begin: (item: (typeof looks)[number]) => Promise<void>): Promise<void> =>
    void (await Promise.all(looks.map(begin)));
  return {
    isOf: (other) => isSameLocation(server, other),
    check: () => all((item) => item.check()),
    checkAgain: () => all((item) => item.checkAgain()),
    close: () => all((item) => item.watch.close()),
  };
}

function isSameLocation(workerServer: WorkerServer, other: WorkerServer): boolean {
  const [locations, others] = [workerServer, other].map((server) => listNodes(server).map(nameNode).join());
  return locations === others;
}

/**
 * Returns how many sessions each user has had and how many are open now, over all hosts. Omits users who have
 * never had a session.
 */
async function readSessions(
  observer: AdminConnection,
  users: ReadonlySet<string>,
): Promise<Map<string, { total: number; open: number }>> {
  const sessions = new Map<string, { total: number; open: number }>();
  if (users.size === 0) return sessions;
  const rows = await observer.rows<{ user: string; total: string | number; open: string | number }>(
    accountsSql(users.size),
    users.size > NAMED_MAX ? [] : [...users],
  );
  for (const { user, total, open } of rows) {
    if (!users.has(user)) continue;
    const before = sessions.get(user) ?? { total: 0, open: 0 };
    sessions.set(user, { total: before.total + Number(total), open: before.open + Number(open) });
  }
  return sessions;
}

interface NodeWatch {
  check(): Promise<SuspectedDatabases>;
  close(): Promise<void>;
}

/**
 * Watches one node over one observer session, which is reopened when it is lost. The first check after a
 * reopening suspects every user who has connected since.
 */
function createNodeWatch(ctx: DatabaseAccess, server: WorkerServer): NodeWatch {
  const connection = createLazyConnection(() => ctx.access.openNodeObserver(server));
  let gate: string | undefined;
  let checksRemaining = 0;
  let threads = new Map<string, number>();
  let sessions = new Map<string, string>();

  /**
   * Returns the users whose open sessions have run more DDL than before, and the users whose sessions began
   * or ended since. Sessions that began or ended may also have run DDL.
   */
  async function readActiveUsers(
    observer: AdminConnection,
    users: ReadonlySet<string>,
  ): Promise<{ active: Set<string>; remember: () => void }> {
    const [seen, running] = await Promise.all([readSessions(observer, users), observer.rows(RUNNING_SQL)]);
    const connected = [...seen].filter(([, { open }]) => open > 0).map(([user]) => user);
    const threadRows =
      connected.length === 0
        ? []
        : await observer.rows<{ user: string; id: number; n: string | number }>(
            threadsSql(connected.length),
            connected,
          );
    if (running.length > 0) checksRemaining = Math.max(checksRemaining, 1);
    const active = new Set<string>();
    const nextThreads = new Map<string, number>();
    for (const row of threadRows) {
      const key = `${row.id} ${row.user}`;
      nextThreads.set(key, Number(row.n));
      if (Number(row.n) > (threads.get(key) ?? 0)) active.add(row.user);
    }
    const nextSessions = new Map([...seen].map(([user, { total, open }]) => [user, `${total} ${open}`]));
    for (const [user, counts] of nextSessions) if (counts !== sessions.get(user)) active.add(user);
    const remember = (): void => {
      threads = nextThreads;
      sessions = nextSessions;
    };
    return { active, remember };
  }

  return {
    async check() {
      const observer = await connection.get();
      const counters = JSON.stringify(await observer.rows(GATE_SQL));
      if (counters !== gate) checksRemaining = LOOKS_AFTER_MOVE;
      else if (checksRemaining === 0) return new Map();
      else checksRemaining -= 1;
      const isFirst = gate === undefined;
      const users = await ctx.directory.listConnectionUsersOfServer(server.id);
      const found = server.capabilities?.performanceSchema
        ? await readActiveUsers(observer, new Set(users.map((user) => user.userName)))
        : null;
      // The counters are stored last. If a step before this line fails, the next check therefore repeats it.
      gate = counters;
      found?.remember();
      const suspects =
        isFirst || found === null ? users : users.filter((user) => found.active.has(user.userName));
      const byDatabase = new Map<string, string[]>();
      for (const user of suspects)
        byDatabase.set(user.databaseId, [
          ...(byDatabase.get(user.databaseId) ?? []),
          ...(isFirst || found === null ? [] : [user.id]),
        ]);
      return byDatabase;
    },
    close: () => connection.close(),
  };
}
