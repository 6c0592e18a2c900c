import { accountSecretPurpose, type ServerCredential } from '@rowhouse/contracts';
import { openWithPrivateKey, type SecretBox } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { openAdminConnection, readServerFault, type AdminConnection, type AdminTarget } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { Secret } from '@rowhouse/runtime';

/** Sessions on tenants' servers, each under the least account that will do. The caller closes what it opens. */
export interface ServerAccess {
  /** Makes and drops schemas and accounts, grants, ends sessions. */
  openProvisioner(server: WorkerServer): Promise<AdminConnection>;
  /** Sees sessions, counters and definitions, and no row. */
  openObserver(server: WorkerServer): Promise<AdminConnection>;
  /** DDL on one database and its side schema; its default schema is the database's. */
  openMigrator(server: WorkerServer, database: WorkerDatabase, accounts: readonly WorkerAccount[]): Promise<AdminConnection>;
  /** The provisioner on one database, for changes that must reach the server in one message. The server itself ends it soon when it is idle. */
  openSwapper(server: WorkerServer, schemaName: string): Promise<AdminConnection>;
  openAs(server: WorkerServer, user: string, password: string, schemaName?: string): Promise<AdminConnection>;
}

export const SWAPPER_IDLE_SECONDS_MAX = 20;

export function createServerAccess(options: { readonly serverPrivateKey: Secret; readonly box: SecretBox }): ServerAccess {
  const openCredential = (sealed: Buffer): ServerCredential =>
    JSON.parse(openWithPrivateKey(options.serverPrivateKey.reveal(), sealed)) as ServerCredential;

  async function openSealed(server: WorkerServer, sealed: Buffer): Promise<AdminConnection> {
    return connect({ ...addressOf(server), ...openCredential(sealed) });
  }

  return {
    openProvisioner: (server) => openSealed(server, server.provisionerSealed),
    openObserver: (server) => openSealed(server, server.observerSealed),
    openMigrator(server, database, accounts) {
      const account = accounts.find((entry) => entry.kind === 'migrator');
      if (account === undefined) throw new AppError('db.provisioning', { internal: `${database.id} has no migrator account` });
      const password = options.box.open(account.secretSealed, accountSecretPurpose(database.id, 'migrator', account.rightsHash));
      return connect({ ...addressOf(server), user: account.userName, password, database: database.schemaName });
    },
    async openSwapper(server, schemaName) {
      const connection = await connect({ ...addressOf(server), ...openCredential(server.provisionerSealed), database: schemaName, multipleStatements: true });
      // A worker that stands still must not keep it for ever.
      await connection.run(`SET SESSION wait_timeout = ${SWAPPER_IDLE_SECONDS_MAX}`);
      return connection;
    },
    openAs: (server, user, password, schemaName) => connect({ ...addressOf(server), user, password, database: schemaName }),
  };
}

function addressOf(server: WorkerServer): Pick<AdminTarget, 'host' | 'port' | 'tls'> {
  return { host: server.host, port: server.port, tls: server.tls };
}

async function connect(target: AdminTarget): Promise<AdminConnection> {
  try {
    return await openAdminConnection(target);
  } catch (error) {
    const fault = readServerFault(error);
    throw new AppError('db.unavailable', { internal: `connect as ${target.user}: ${fault?.message ?? String(error)}`, cause: error });
  }
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
