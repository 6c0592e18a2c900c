import type { TaskPayload, TaskResult } from '@rowhouse/contracts';
import { probeCapabilities } from '@rowhouse/mysql';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/** Connects under both accounts, finds out what the server can do and writes it to its row. */
export async function probeServer(ctx: WorkerContext, payload: TaskPayload<'probe_server'>): Promise<TaskResult<'probe_server'>> {
  const server = await ctx.directory.readServer(payload.server_id);
  await withConnection(ctx.access.openObserver(server), (observer) => observer.rows('SELECT 1'));
  const capabilities = await withConnection(ctx.access.openProvisioner(server), probeCapabilities);
  await ctx.directory.writeCapabilities(server.id, capabilities);
  return { engine: capabilities.engine, engine_version: capabilities.version };
}
