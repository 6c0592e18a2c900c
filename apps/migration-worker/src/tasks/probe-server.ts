import type { TaskPayload, TaskResult } from '@rowhouse/contracts';
import { probeCapabilities } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { quoteAccount } from '../accounts/account-statements.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/** Connects under both accounts, finds out what the server can do and writes it to its row. */
export async function probeServer(ctx: WorkerContext, payload: TaskPayload<'probe_server'>): Promise<TaskResult<'probe_server'>> {
  const server = await ctx.directory.readServer(payload.server_id);
  await withConnection(ctx.access.openObserver(server), (observer) => observer.rows('SELECT 1'));
  const capabilities = await withConnection(ctx.access.openProvisioner(server), probeCapabilities);
  await ctx.directory.writeCapabilities(server.id, capabilities);
  await alignTls(ctx, server);
  return { engine: capabilities.engine, engine_version: capabilities.version };
}

/** Direct accounts from before the server was opened to others, or closed again, get what new ones get. Safe to run again. */
async function alignTls(ctx: WorkerContext, server: WorkerServer): Promise<void> {
  const wanted = server.publicTls === 'required';
  const others = (await ctx.directory.listConnectionUsersOfServer(server.id)).filter((user) => user.requiresTls !== wanted);
  if (others.length === 0) return;
  await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    for (const user of others) {
      await provisioner.run(`ALTER USER IF EXISTS ${quoteAccount(user.userName)} REQUIRE ${wanted ? 'SSL' : 'NONE'}`);
      await ctx.directory.noteTls(user.id, wanted);
    }
  });
}
