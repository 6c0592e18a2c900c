import type { ServerCredential } from '@rowhouse/contracts';
import { openWithPrivateKey } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import {
  GALERA_WAIT,
  readNodeState,
  readServerFault,
  type AdminConnection,
  type AdminTarget,
  type WithDefinitions,
} from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { Secret } from '@rowhouse/runtime';
import { readLoginRejection, type LoginRejection } from '../accounts/sessions/login-rejection.js';

import { createAdminPorts, type NodeLogin as Login } from './admin-port.js';
import { createNodeFailureTracker, type NodeFailureTracker } from './node-failure-tracker.js';
import { openPrepared } from './lazy-connection.js';
import { createReadySessions } from './ready-sessions.js';

/** Opens sessions for a database's platform accounts, and repairs an account that the server rejects. */
export interface PlatformSessions {
  open(server: WorkerServer, database: WorkerDatabase, account: WorkerAccount): Promise<AdminConnection>;
  close(): Promise<void>;
}

/**
 * Opens sessions on tenants' servers, each with the account that has the fewest rights for the purpose. The
 * caller closes the session. On a cluster, sessions are opened on the first node that responds. To use a
 * specific node, pass the server as `listNodes` returns it.
 */
export interface ServerAccess extends ServerLogins {
  /**
   * Opens a session for DDL on one database and its side schema; the database is its default schema. An
   * account that the server rejects is repaired first.
   */
  openMigrator(
    server: WorkerServer,
    database: WorkerDatabase,
    accounts: readonly WorkerAccount[],
  ): Promise<AdminConnection>;
  /**
   * Opens a session that reads what the query account of the whole database can read. An account that the
   * server rejects is repaired, as for `openMigrator`.
   */
  openReader(
    server: WorkerServer,
    database: WorkerDatabase,
    accounts: readonly WorkerAccount[],
  ): Promise<AdminConnection>;
}

/** Sessions of accounts that do not belong to one database. */
export interface ServerLogins {
  /** Opens a session that creates and drops schemas and accounts, grants rights, and ends sessions. */
  openProvisioner(server: WorkerServer): Promise<AdminConnection>;
  /**
   * Opens a provisioner session on one node only, whatever the node's state in the cluster is. A statement
   * without a response in five seconds is abandoned with its session.
   */
  openNodeProvisioner(node: WorkerServer): Promise<AdminConnection>;
  /** Opens a session that sees sessions, counters and definitions, but no rows. */
  openObserver(server: WorkerServer): Promise<AdminConnection>;
  /**
   * Opens an observer session for frequent reads of what a single node knows about itself. The session does
   * not wait for changes from other nodes. A statement without a response in five seconds is abandoned with
   * its session.
   */
  openNodeObserver(node: WorkerServer): Promise<AdminConnection>;
  /**
   * Runs urgent work with a provisioner session on one node. The session stays open between uses and accepts
   * several statements in one message. `callback` must leave the session unchanged and wait for nothing from
   * other nodes.
   */
  useReadyProvisioner<T>(
    node: WorkerServer,
    callback: (connection: AdminConnection) => Promise<T>,
  ): Promise<T>;
  /**
   * Opens a provisioner session on one database, for changes that must reach the server in one message. The
   * server soon ends the session when it is idle.
   */
  openSwapper(server: WorkerServer, schemaName: string): Promise<AdminConnection>;
  /**
   * Opens a session under the given account. A statement without a response after 90 s is abandoned with its
   * session.
   */
  openAs(server: WorkerServer, user: string, password: string, schemaName?: string): Promise<AdminConnection>;
  /** Opens a session like `openAs`, with the settings for creating and altering tables. */
  openForTables(
    server: WorkerServer,
    user: string,
    password: string,
    schemaName?: string,
  ): Promise<AdminConnection>;
  /** Closes the sessions that stay open between uses. */
  close(): Promise<void>;
}

export const SWAPPER_IDLE_SECONDS_MAX = 20;
/**
 * The maximum run time of a statement in milliseconds. While MariaDB creates a view, it runs the tenant's
 * functions that the view calls, and KILL cannot end some of them.
 */
const OPEN_AS_MS_MAX = 90_000;
const NODE_ANSWER_MS_MAX = 5_000;
const READY_IDLE_MS = 300_000;
const SUSPECT_MS = 10_000;

export interface ServerLoginOptions {
  readonly serverPrivateKey: Secret;
  /** Called when a server rejects one of the two accounts that the operator configured for the server. */
  readonly onRejected: (server: WorkerServer, account: ServerAccountKind, rejection: LoginRejection) => void;
}

export function createServerLogins(options: ServerLoginOptions): ServerLogins {
  const openCredential = (sealed: Buffer): ServerCredential =>
    JSON.parse(openWithPrivateKey(options.serverPrivateKey.reveal(), sealed)) as ServerCredential;

  const memory = createNodeFailureTracker(SUSPECT_MS);
  const ports = createAdminPorts();
  const openOnNode = (
    node: WorkerServer,
    sealed: Buffer,
    options: Pick<AdminTarget, 'multipleStatements'> = {},
  ): Promise<AdminConnection> =>
    ports.open(node, { ...openCredential(sealed), statementTimeoutMs: NODE_ANSWER_MS_MAX, ...options });
  const connectAny = (server: WorkerServer, login: Login): Promise<AdminConnection> =>
    connect(server, memory, login.user, (node) => ports.open(node, login));
  const ready = createReadySessions(
    (node) => openOnNode(node, node.provisionerSealed, { multipleStatements: true }),
    READY_IDLE_MS,
  );

  async function openSealed(
    server: WorkerServer,
    account: ServerAccountKind,
    more: Partial<Login> = {},
  ): Promise<AdminConnection> {
    const sealed = account === 'provisioner' ? server.provisionerSealed : server.observerSealed;
    try {
      return await connectAny(server, { ...openCredential(sealed), ...more });
    } catch (error) {
      const rejection = readLoginRejection(error);
      // If the schema is missing, or the session uses another plugin, the account itself is not the problem.
      if (rejection === null || more.database !== undefined) throw error;
      options.onRejected(server, account, rejection);
      throw serverAccountRejected(server, account, error);
    }
  }

  // MySQL's admin port accepts only the two accounts that the operator has configured.
  const openAccount = (server: WorkerServer, login: Login): Promise<AdminConnection> =>
    connectAny(server.engine === 'mariadb' ? server : withoutAdminPorts(server), login);

  return {
    openProvisioner: (server) => openSealed(server, 'provisioner'),
    openNodeProvisioner: (node) => openOnNode(node, node.provisionerSealed),
    openObserver: (server) => openSealed(server, 'observer'),
    openNodeObserver: (node) => openOnNode(node, node.observerSealed),
    useReadyProvisioner: (node, callback) => ready.use(node, callback),
    async openSwapper(server, schemaName) {
      const opening = openSealed(server, 'provisioner', { database: schemaName, multipleStatements: true });
      // The server ends this session when its worker stalls.
      return openPrepared(opening, (connection) =>
        connection.run(`SET SESSION wait_timeout = ${SWAPPER_IDLE_SECONDS_MAX}`),
      );
    },
    openAs: (server, user, password, schemaName) =>
      openAccount(server, { user, password, database: schemaName, statementTimeoutMs: OPEN_AS_MS_MAX }),
    openForTables: (server, user, password, schemaName) =>
      openAccount(server, { user, password, database: schemaName, schemaEngine: server.engine }),
    close: () => ready.close(),
  };
}

export type ServerAccountKind = 'provisioner' | 'observer';

/** Returns the error for the operator about a rejected account that no job can repair. */
function serverAccountRejected(server: WorkerServer, account: ServerAccountKind, cause: unknown): AppError {
  return new AppError('db.account_refused', {
    detail: `The database server rejected the platform's ${account} account.`,
    hint: 'Ask the operator to follow the advice for this server.',
    internal: `${account} of ${server.id}`,
    extra: { account },
    retryAfterSeconds: 5,
    cause: (cause as AppError).cause,
  });
}

/** Adds the methods that open sessions of the platform's accounts in each database. */
export function createServerAccess(logins: ServerLogins, sessions: PlatformSessions): ServerAccess {
  const openKind = async (
    kind: WorkerAccount['kind'],
    server: WorkerServer,
    database: WorkerDatabase,
    accounts: readonly WorkerAccount[],
  ): Promise<AdminConnection> => {
    const account = accounts.find((entry) => entry.kind === kind && entry.rightsHash === '');
    if (account === undefined)
      throw new AppError('db.provisioning', { internal: `${database.id} has no ${kind} account` });
    return sessions.open(server, database, account);
  };
  return {
    ...logins,
    openMigrator: (server, database, accounts) => openKind('migrator', server, database, accounts),
    openReader: (server, database, accounts) => openKind('query', server, database, accounts),
    async close() {
      await sessions.close();
      await logins.close();
    },
  };
}

/** Returns each node of a server as a separate server. Without nodes, it returns the server itself. */
export function listNodes(server: WorkerServer): WorkerServer[] {
  const others = server.nodes.map(({ host, port, admin_port: adminPort = null }) => ({
    ...server,
    host,
    port,
    adminPort,
    nodes: [],
  }));
  return [{ ...server, nodes: [] }, ...others];
}

function withoutAdminPorts(server: WorkerServer): WorkerServer {
  return { ...server, adminPort: null, nodes: server.nodes.map(({ host, port }) => ({ host, port })) };
}

/** Connects to the first node that responds. If a node rejects the account, no other node is tried. */
async function connect(
  server: WorkerServer,
  memory: NodeFailureTracker,
  user: string,
  open: (node: WorkerServer) => Promise<AdminConnection>,
): Promise<AdminConnection> {
  let failure: unknown;
  for (const node of memory.order(listNodes(server))) {
    try {
      const connection = await open(node);
      if (await joinsCluster(server, connection)) {
        memory.served(node);
        return connection;
      }
    } catch (error) {
      failure = error;
      if (readServerFault(error)?.isConnectionLost !== true) break;
    }
    memory.failed(node);
  }
  const reason =
    failure instanceof Error
      ? (readServerFault(failure)?.message ?? failure.message)
      : 'no node is part of its cluster';
  const code = readLoginRejection(failure) === null ? 'db.unavailable' : 'db.account_refused';
  throw new AppError(code, {
    internal: `connect as ${user}: ${reason}`,
    retryAfterSeconds: 1,
    cause: failure,
  });
}

/**
 * Makes the reads of a cluster node include all acknowledged writes. If the node does not serve requests, it
 * closes the session and returns false.
 */
async function joinsCluster(server: WorkerServer, connection: AdminConnection): Promise<boolean> {
  if (server.capabilities?.cluster !== 'galera') return true;
  try {
    const state = await readNodeState(connection);
    if (state?.kind === 'synced') {
      await connection.run(`SET SESSION ${GALERA_WAIT}`);
      return true;
    }
  } catch (error) {
    await connection.close();
    throw error;
  }
  await connection.close();
  return false;
}

/** Returns a function that runs work with its own provisioner session, which can read every definition. */
export function asProvisioner(access: ServerAccess, server: WorkerServer): WithDefinitions {
  return (callback) => withConnection(access.openProvisioner(server), callback);
}

/** Opens a session, runs `callback`, and always closes the session. */
export async function withConnection<T>(
  opening: Promise<AdminConnection>,
  callback: (connection: AdminConnection) => Promise<T>,
): Promise<T> {
  const connection = await opening;
  try {
    return await callback(connection);
  } finally {
    await connection.close();
  }
}
