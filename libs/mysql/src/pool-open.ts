import { isServerUnreachable, NodeAway } from './pool-fault.js';
import type { NodeBook } from './pool-nodes.js';
import { PoolSession, type SessionLimits } from './pool-session.js';
import type { PoolAccount, PoolServer } from './pool-types.js';

/** Opens a session on the first node that takes it. What a node refuses for the account's sake is thrown, and tried nowhere else. */
export async function openAtNode(server: PoolServer, nodes: NodeBook, account: PoolAccount, limits: SessionLimits): Promise<PoolSession> {
  if (!nodes.isSeveral) return openServing(server, server, account, limits, true);
  let failure: unknown;
  let donor: PoolServer | undefined;
  for (const place of nodes.order()) {
    try {
      const session = await openServing(server, place, account, limits, false);
      nodes.served(place);
      return session;
    } catch (error) {
      if (!isServerUnreachable(error)) throw error;
      failure = error;
      if (error instanceof NodeAway && error.isDonor) donor ??= place;
      else nodes.failed(place);
    }
  }
  if (donor !== undefined) return openServing(server, donor, account, limits, true);
  throw failure;
}

/** Looks whether nodes that failed serve again, so that no request has to find out. Never throws. */
export async function findFailedNodes(server: PoolServer, nodes: NodeBook, account: PoolAccount, limits: SessionLimits): Promise<void> {
  await Promise.all(nodes.listFailed().map(async (place) => {
    try {
      (await openServing(server, place, account, limits, false)).end();
      nodes.served(place);
    } catch {
      // It stays behind the others.
    }
  }));
}

async function openServing(server: PoolServer, place: PoolServer, account: PoolAccount, limits: SessionLimits, mayBeDonor: boolean): Promise<PoolSession> {
  const session = await PoolSession.open(server, account, limits, place);
  if (server.isGalera !== true) return session;
  try {
    await session.assertServing(mayBeDonor);
    return session;
  } catch (error) {
    session.destroy('the node does not serve');
    throw error;
  }
}

/** Whether a new session can be had at a node, or is refused by it: it is not asked for anything more. Never throws. */
export async function answersAt(server: PoolServer, place: PoolServer, account: PoolAccount, limits: SessionLimits): Promise<boolean> {
  try {
    (await openServing(server, place, account, limits, true)).end();
    return true;
  } catch (error) {
    return !isServerUnreachable(error);
  }
}
