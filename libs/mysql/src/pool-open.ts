import { isServerUnreachable, NodeAway } from './pool-fault.js';
import type { NodeBook } from './pool-nodes.js';
import { PoolSession, type SessionLimits } from './pool-session.js';
import type { PoolAccount, PoolServer } from './pool-types.js';

/**
 * Opens a session on the first node that accepts it. When a node rejects the account, the error is thrown and
 * no other node is tried.
 */
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

/** Checks whether failed nodes serve again, so that no request has to find out. Never throws. */
export async function findFailedNodes(server: PoolServer, nodes: NodeBook, account: PoolAccount, limits: SessionLimits): Promise<void> {
  await Promise.all(nodes.listFailed().map(async (place) => {
    try {
      (await openServing(server, place, account, limits, false)).end();
      nodes.served(place);
    } catch {
      // The node stays behind the others.
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

/** Returns whether a node opens a session or rejects the account. Sends nothing else. Never throws. */
export async function answersAt(server: PoolServer, place: PoolServer, account: PoolAccount, limits: SessionLimits): Promise<boolean> {
  try {
    (await openServing(server, place, account, limits, true)).end();
    return true;
  } catch (error) {
    return !isServerUnreachable(error);
  }
}
