import { holdConnection } from '../servers/hold-connection.js';
import type { ServerAccess } from '../servers/server-access.js';
import type { HeldLease, WorkerContext } from '../worker-context.js';

/**
 * Returns the context for work under a lease. When the lease is lost, the sessions on servers are closed, and
 * platform tables are no longer read or written. If a write arrives late, the store rejects it by its fencing
 * token.
 */
export function holdContext(ctx: WorkerContext, lease: HeldLease): WorkerContext {
  return {
    ...ctx,
    platform: rejectUnlessHeld(ctx.platform, lease),
    directory: rejectUnlessHeld(ctx.directory, lease),
    transfers: rejectUnlessHeld(ctx.transfers, lease),
    values: rejectUnlessHeld(ctx.values, lease),
    access: holdAccess(ctx.access, lease),
  };
}

/** Wraps the store, so that every call without the lease is rejected. */
function rejectUnlessHeld<Store extends object>(store: Store, lease: HeldLease): Store {
  const calls = Object.entries(store).map(
    ([name, call]: [string, (...values: unknown[]) => Promise<unknown>]) => [
      name,
      async (...values: unknown[]) => {
        lease.assertHeld();
        return call(...values);
      },
    ],
  );
  return Object.fromEntries(calls) as Store;
}

function holdAccess(access: ServerAccess, lease: HeldLease): ServerAccess {
  return {
    ...access,
    openProvisioner: (server) => holdConnection(lease, () => access.openProvisioner(server)),
    openNodeProvisioner: (node) => holdConnection(lease, () => access.openNodeProvisioner(node)),
    openObserver: (server) => holdConnection(lease, () => access.openObserver(server)),
    openNodeObserver: (node) => holdConnection(lease, () => access.openNodeObserver(node)),
    openMigrator: (server, database, accounts) =>
      holdConnection(lease, () => access.openMigrator(server, database, accounts)),
    openReader: (server, database, accounts) =>
      holdConnection(lease, () => access.openReader(server, database, accounts)),
    openSwapper: (server, schemaName) => holdConnection(lease, () => access.openSwapper(server, schemaName)),
    openAs: (server, user, password, schemaName) =>
      holdConnection(lease, () => access.openAs(server, user, password, schemaName)),
    openForTables: (server, user, password, schemaName) =>
      holdConnection(lease, () => access.openForTables(server, user, password, schemaName)),
    async useReadyProvisioner(node, callback) {
      lease.assertHeld();
      return access.useReadyProvisioner(node, callback);
    },
  };
}
