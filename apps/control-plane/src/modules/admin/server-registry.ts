import type { CreateServerRequest } from '@rowhouse/contracts';
import { validationError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { ServerRow } from '../../platform-db/entities/server-row.js';
import type { PlatformDb } from '../../platform-db/platform-db.js';
import { appendChangesOfServer } from '../../platform/change-log.js';
import type { Secrets } from '../../platform/secrets.js';
import type { TaskRunner } from '../../platform/task-runner.js';

/** Addresses whose traffic cannot be intercepted. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/**
 * Adds or updates a server by name and requests a probe. If its address has changed, gateways read it again
 * for all databases of the server. `record` writes the audit event in the same
 * transaction. Returns the server's row and the task.
 */
export async function registerServer(
  parts: { readonly db: PlatformDb; readonly secrets: Secrets; readonly tasks: TaskRunner },
  body: CreateServerRequest,
  record: (manager: EntityManager, serverId: string) => Promise<void> = async () => undefined,
): Promise<{ server: ServerRow; taskId: string }> {
  const { db, secrets, tasks } = parts;
  const tls = body.tls ?? 'off';
  const nodes = body.nodes ?? [];
  if (tls === 'off' && [body, ...nodes].some(({ host }) => !LOOPBACK.test(host))) {
    throw validationError('body.invalid', [
      {
        loc: ['body', 'tls'],
        msg: 'TLS can only be off if the host is a loopback address.',
        type: 'value_error',
      },
    ]);
  }
  const settings = {
    host: body.host,
    port: body.port,
    adminPort: body.admin_port ?? null,
    nodes: nodes.length === 0 ? null : nodes,
    publicHost: body.public_host ?? body.host,
    publicPort: body.public_port ?? body.port,
    tls,
    publicTls: body.public_tls ?? tls,
    publicCa: body.public_ca ?? null,
    provisionerSealed: secrets.sealServerCredential(body.provisioner),
    observerSealed: secrets.sealServerCredential(body.observer),
  };
  const { id, taskId } = await db.cellTransaction(async (manager) => {
    const servers = manager.getRepository(ServerRow);
    const present = await servers.findOne({
      where: { cellId: db.cellId, name: body.name },
      lock: { mode: 'pessimistic_write' },
    });
    const serverId = present?.id ?? createId('srv');
    if (present === null)
      await servers.insert({
        id: serverId,
        cellId: db.cellId,
        name: body.name,
        ...settings,
        createdAt: new Date(),
      });
    else await servers.update({ id: serverId }, settings);
    await record(manager, serverId);
    const probeId = await tasks.insert(manager, 'probe_server', { server_id: serverId }, {});
    if (present !== null && !isDeepStrictEqual(pickAddress(present), pickAddress(settings)))
      await appendChangesOfServer(manager, db.cellId, serverId);
    return { id: serverId, taskId: probeId };
  });
  await tasks.notify(taskId);
  return { server: await db.cell.getRepository(ServerRow).findOneByOrFail({ id }), taskId };
}

/** Returns what gateways need to connect to the server. */
function pickAddress({
  host,
  port,
  nodes,
  tls,
}: Pick<ServerRow, 'host' | 'port' | 'nodes' | 'tls'>): unknown {
  return { host, port, tls, nodes: (nodes ?? []).map((node) => [node.host, node.port]) };
}
