import { probeCapabilities } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { DatabaseAccess } from '../worker-context.js';
import { withConnection } from './server-access.js';

/** Returns the server with its capabilities. Probes the server if it was never probed. */
export async function readProbedServer(ctx: DatabaseAccess, serverId: string): Promise<WorkerServer> {
  const server = await ctx.directory.readServer(serverId);
  if (server.capabilities !== null) return server;
  const capabilities = await withConnection(ctx.access.openProvisioner(server), probeCapabilities);
  await ctx.directory.writeCapabilities(serverId, capabilities);
  return ctx.directory.readServer(serverId);
}
