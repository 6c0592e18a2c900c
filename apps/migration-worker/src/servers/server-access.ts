import { accountSecretPurpose, type ServerCredential } from '@rowhouse/contracts';
import { openWithPrivateKey, type SecretBox } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { GALERA_WAIT, openAdminConnection, readNodeState, readServerFault, type AdminConnection, type AdminTarget, type WithDefinitions } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { Secret } from '@rowhouse/runtime';
import { createNodeMemory, type NodeMemory } from './node-memory.js';
import { openPrepared } from './open-prepared.js';
import { createReadySessions } from './ready-sessions.js';

/**
 * Sessions on tenants' servers, each under the least account that will do. The caller closes what it opens. On a cluster
 * they are opened on the first node that serves; for one node alone, ask for the server as `listNodes` gives it.
 */
export interface ServerAccess {
  /** Makes and drops schemas and accounts, grants, ends sessions. */
  openProvisioner(server: WorkerServer): Promise<AdminConnection>;
  /** The same on one node alone, whatever part it takes in its cluster. A statement that is not answered in five seconds is given up with its session. */
  openNodeProvisioner(node: WorkerServer): Promise<AdminConnection>;
  /** Sees sessions, counters and definitions, and no row. */
  openObserver(server: WorkerServer): Promise<AdminConnection>;
  /**
   * The same for what one node knows of itself alone, asked again and again: nothing is waited for that other nodes have
   * done, and a statement that is not answered in five seconds is given up with its session.
   */
  openNodeObserver(node: WorkerServer): Promise<AdminConnection>;
  /**
   * A provisioner's session on one node that is open already where it was used before, and takes several statements in one
   * message: for what must not wait. `work` leaves it as it found it, and waits for nothing that other nodes have done.
   */
  useReadyProvisioner<T>(node: WorkerServer, work: (connection: AdminConnection) => Promise<T>): Promise<T>;
  /** DDL on one database and its side schema; its default schema is the database's. */
  openMigrator(server: WorkerServer, database: WorkerDatabase, accounts: readonly WorkerAccount[]): Promise<AdminConnection>;
  /** The provisioner on one database, for changes that must reach the server in one message. The server itself ends it soon when it is idle. */
  openSwapper(server: WorkerServer, schemaName: string): Promise<AdminConnection>;
  openAs(server: WorkerServer, user: string, password: string, schemaName?: string): Promise<AdminConnection>;
  /** Of the sessions that are kept ready. */
  close(): Promise<void>;
}

export const SWAPPER_IDLE_SECONDS_MAX = 20;
const NODE_ANSWER_MS_MAX = 5_000;
const READY_IDLE_MS = 300_000;
const SUSPECT_MS = 10_000;

export function createServerAccess(options: { readonly serverPrivateKey: Secret; readonly box: SecretBox }): ServerAccess {
  const openCredential = (sealed: Buffer): ServerCredential =>
    JSON.parse(openWithPrivateKey(options.serverPrivateKey.reveal(), sealed)) as ServerCredential;

  const memory = createNodeMemory(SUSPECT_MS);
  const openOnNode = ({ host, port, tls }: WorkerServer, sealed: Buffer, manners: Pick<AdminTarget, 'multipleStatements'> = {}): Promise<AdminConnection> =>
    openAdminConnection({ host, port, tls, ...openCredential(sealed), statementTimeoutMs: NODE_ANSWER_MS_MAX, ...manners });
  const ready = createReadySessions((node) => openOnNode(node, node.provisionerSealed, { multipleStatements: true }), READY_IDLE_MS);

  async function openSealed(server: WorkerServer, sealed: Buffer): Promise<AdminConnection> {
    return connect(server, openCredential(sealed), memory);
  }

  return {
    openProvisioner: (server) => openSealed(server, server.provisionerSealed),
    openNodeProvisioner: (node) => openOnNode(node, node.provisionerSealed),
    openObserver: (server) => openSealed(server, server.observerSealed),
    openNodeObserver: (node) => openOnNode(node, node.observerSealed),
    useReadyProvisioner: (node, work) => ready.use(node, work),
    openMigrator(server, database, accounts) {
      const account = accounts.find((entry) => entry.kind === 'migrator');
      if (account === undefined) throw new AppError('db.provisioning', { internal: `${database.id} has no migrator account` });
      const password = options.box.open(account.secretSealed, accountSecretPurpose(database.id, 'migrator', account.rightsHash));
      return connect(server, { user: account.userName, password, database: database.schemaName }, memory);
    },
    async openSwapper(server, schemaName) {
      const opening = connect(server, { ...openCredential(server.provisionerSealed), database: schemaName, multipleStatements: true }, memory);
      // A worker that stands still must not keep it for ever.
      return openPrepared(opening, (connection) => connection.run(`SET SESSION wait_timeout = ${SWAPPER_IDLE_SECONDS_MAX}`));
    },
    openAs: (server, user, password, schemaName) => connect(server, { user, password, database: schemaName }, memory),
    close: () => ready.close(),
  };
}

/** Each node of a server as a server of its own; the server itself where it is one. */
export function listNodes(server: WorkerServer): WorkerServer[] {
  return [server, ...server.nodes].map(({ host, port }) => ({ ...server, host, port, nodes: [] }));
}

type Login = Omit<AdminTarget, 'host' | 'port' | 'tls'>;

/** The first node that serves. What a server refuses for the account's sake is tried on no other one. */
async function connect(server: WorkerServer, login: Login, memory: NodeMemory): Promise<AdminConnection> {
  let failure: unknown;
  for (const node of memory.order(listNodes(server))) {
    try {
      const connection = await openAdminConnection({ host: node.host, port: node.port, tls: node.tls, ...login });
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
  const reason = failure instanceof Error ? (readServerFault(failure)?.message ?? failure.message) : 'no node takes part in its cluster';
  throw new AppError('db.unavailable', { internal: `connect as ${login.user}: ${reason}`, cause: failure });
}

/** On a node of a cluster what is read has all that was acknowledged before. False, and closed, where the node does not serve. */
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

/** Returns a function that runs work with a provisioner's session of its own, which may read every definition. */
export function asProvisioner(access: ServerAccess, server: WorkerServer): WithDefinitions {
  return (work) => withConnection(access.openProvisioner(server), work);
}

/** Opens, works and closes, whatever happens. */
export async function withConnection<T>(opening: Promise<AdminConnection>, work: (connection: AdminConnection) => Promise<T>): Promise<T> {
  const connection = await opening;
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
