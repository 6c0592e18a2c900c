import type { TaskPayload, TaskResult } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import {
  adviseServer,
  makesAccounts,
  probeCapabilities,
  readNodeState,
  type AdminConnection,
} from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { quoteAccount } from '../accounts/account-statements.js';
import { nameNode } from '../servers/node-failure-tracker.js';
import { listNodes, withConnection } from '../servers/server-access.js';
import type { WorkerContext, DatabaseAccess } from '../worker-context.js';

/**
 * Connects under both accounts, determines the server's capabilities and stores them in the server's row.
 * Rejects a server that cannot host databases, with a message for the operator.
 */
export async function probeServer(
  ctx: Pick<WorkerContext, 'access' | 'directory' | 'logger'>,
  payload: TaskPayload<'probe_server'>,
): Promise<TaskResult<'probe_server'>> {
  const server = await ctx.directory.readServer(payload.server_id);
  await withConnection(ctx.access.openObserver(server), (observer) => observer.rows('SELECT 1'));
  // The earlier capabilities are discarded, because the address may belong to another server by now.
  const unprobed = { ...server, capabilities: null };
  await withConnection(ctx.access.openProvisioner(unprobed), assertFit);
  if (server.nodes.length > 0) await assertOneCluster(ctx, unprobed);
  const { capabilities, advice } = await withConnection(
    ctx.access.openProvisioner(unprobed),
    async (provisioner) => ({
      capabilities: await probeCapabilities(provisioner),
      advice: await adviseServer(provisioner),
    }),
  );
  await ctx.directory.writeCapabilities(server.id, { ...capabilities, advice });
  for (const sentence of advice)
    ctx.logger.warn({ server: server.id, advice: sentence }, 'a server had better be set otherwise');
  await alignTls(ctx, server);
  return { engine: capabilities.engine, engine_version: capabilities.version };
}

function reject(detail: string, hint: string): never {
  throw new AppError('resource.conflict', { detail, hint });
}

/** Throws for properties that cannot be changed later. */
async function assertFit(connection: AdminConnection): Promise<void> {
  const [row] = await connection.rows<{ read_only: number }>('SELECT @@GLOBAL.read_only AS read_only');
  if (Number(row?.read_only) === 1)
    reject('The server is read-only.', 'Register the address of the primary, not of a replica.');
  const engines = await connection.rows<{ name: string }>(
    "SELECT ENGINE AS name FROM information_schema.ENGINES WHERE SUPPORT IN ('YES', 'DEFAULT')",
  );
  if (!engines.some(({ name }) => name.toLowerCase() === 'innodb'))
    reject('The server has no InnoDB.', 'Databases require its transactions and foreign keys.');
  if (!(await makesAccounts(connection)))
    reject(
      'The provisioner cannot create accounts on this server.',
      'Grant it CREATE USER. Servers whose accounts cannot be created by SQL are not supported.',
    );
  const state = await readNodeState(connection);
  if (state !== null && state.kind === 'away')
    reject(
      'The node is not part of its Galera cluster.',
      'Wait until it has joined, or register the address of a node that has joined.',
    );
}

/** Checks that several addresses are nodes of one cluster. Separate servers would have different rows. */
async function assertOneCluster(ctx: Pick<WorkerContext, 'access'>, server: WorkerServer): Promise<void> {
  const clusterIds = new Set<string>();
  for (const node of listNodes(server)) {
    const state = await withConnection(ctx.access.openProvisioner(node), readNodeState);
    if (state === null)
      reject(
        `${nameNode(node)} is not a node of a Galera cluster.`,
        'Several addresses are only for the nodes of one cluster. Register other servers separately.',
      );
    clusterIds.add(state.clusterId);
  }
  if (clusterIds.size > 1)
    reject('The addresses belong to different Galera clusters.', 'Register each cluster separately.');
}

/**
 * Updates direct accounts that were created before the server was opened to other networks, or before it was
 * closed again. They get the TLS setting of new accounts. Safe to run again.
 */
async function alignTls(ctx: DatabaseAccess, server: WorkerServer): Promise<void> {
  const requested = server.publicTls === 'required';
  const others = (await ctx.directory.listConnectionUsersOfServer(server.id)).filter(
    (user) => user.requiresTls !== requested,
  );
  if (others.length === 0) return;
  await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    for (const user of others) {
      await provisioner.run(
        `ALTER USER IF EXISTS ${quoteAccount(user.userName)} REQUIRE ${requested ? 'SSL' : 'NONE'}`,
      );
      await ctx.directory.noteTls(user.id, requested);
    }
  });
}
