import { isServerUnreachable, NodeUnavailableError } from '../faults.js';
import type { NodeHealth } from './node-health.js';
import { PoolSession, type SessionLimits } from '../session/pool-session.js';
import type { PoolAccount, PoolServer } from '../types.js';

/**
 * Opens a session on the first node that accepts it. If a node rejects the account, that error is thrown and
 * no further node is tried.
 */
export async function openAtNode(
  server: PoolServer,
  nodes: NodeHealth,
  account: PoolAccount,
  limits: SessionLimits,
): Promise<PoolSession> {
  if (!nodes.isSeveral) return openServing(server, server, account, limits, true);
  let failure: unknown;
  let donor: PoolServer | undefined;
  for (const endpoint of nodes.order()) {
    try {
      const session = await openServing(server, endpoint, account, limits, false);
      nodes.served(endpoint);
      return session;
    } catch (error) {
      if (!isServerUnreachable(error)) throw error;
      failure = error;
      if (error instanceof NodeUnavailableError && error.isDonor) donor ??= endpoint;
      else nodes.failed(endpoint);
    }
  }
  if (donor !== undefined) return openServing(server, donor, account, limits, true);
  throw failure;
}

/**
 * Checks in the background whether failed nodes serve again, so that no request has to wait for a failed
 * node. Never throws.
 */
export async function findFailedNodes(
  server: PoolServer,
  nodes: NodeHealth,
  account: PoolAccount,
  limits: SessionLimits,
): Promise<void> {
  await Promise.all(
    nodes.listFailed().map(async (endpoint) => {
      try {
        (await openServing(server, endpoint, account, limits, false)).end();
        nodes.served(endpoint);
      } catch {
        // The check failed, so the node stays last in the order.
      }
    }),
  );
}

async function openServing(
  server: PoolServer,
  endpoint: PoolServer,
  account: PoolAccount,
  limits: SessionLimits,
  mayBeDonor: boolean,
): Promise<PoolSession> {
  const session = await PoolSession.open(server, account, limits, endpoint);
  if (server.isGalera !== true) return session;
  try {
    await session.assertServing(mayBeDonor);
    return session;
  } catch (error) {
    session.destroy('the node does not serve');
    throw error;
  }
}

/**
 * Returns whether a node responds to a login: it opens a session or rejects the account. Nothing else is
 * sent. Never throws.
 */
export async function answersAt(
  server: PoolServer,
  endpoint: PoolServer,
  account: PoolAccount,
  limits: SessionLimits,
): Promise<boolean> {
  try {
    (await openServing(server, endpoint, account, limits, true)).end();
    return true;
  } catch (error) {
    return !isServerUnreachable(error);
  }
}
