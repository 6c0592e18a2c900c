import type { TaskPayload } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { EngineKind, Snapshot } from '@rowhouse/schema-model';
import { readProbedServer } from '../servers/read-probed-server.js';
import type { DatabaseAccess } from '../worker-context.js';

/**
 * Returns the server on which a schema text is tested if it belongs to no single database. The server has the
 * engine of the draft, or else that of the project.
 */
export async function chooseServer(
  ctx: DatabaseAccess,
  input: Pick<TaskPayload<'plan_schema'>, 'base' | 'project_id' | 'engine'>,
): Promise<WorkerServer> {
  const servers = await ctx.directory.listServers();
  const engine =
    engineOfDraft(input.base) ?? input.engine ?? (await ctx.directory.readProjectEngine(input.project_id));
  const server = servers.find((workerServer) => workerServer.capabilities?.engine === engine) ?? servers[0];
  if (server === undefined)
    throw new AppError('platform.unavailable', { detail: 'No database server is registered yet.' });
  return readProbedServer(ctx, server.id);
}

/** Returns the engine of a draft; null for a schema without objects, which fits either engine. */
export function engineOfDraft(base: Snapshot | null): EngineKind | null {
  return base === null || base.tables.length + (base.routines?.length ?? 0) === 0 ? null : base.engine;
}
