import type { TenantPools } from '@rowhouse/mysql';
import type { ServerLeases } from '@rowhouse/platform-store';

/**
 * Limits the connections of this gateway to each server, so that all gateways together stay within the limit
 * of the server's row. A gateway may always open `connectionsFloor` connections. It leases more from the
 * platform database as it needs them.
 */
export interface ConnectionLeases {
  /** Reports that a caller waits for a connection that the current limit does not allow. */
  press(serverId: string): void;
  /** Releases all leases. Waits for requests in progress first. */
  stop(): Promise<void>;
}

export interface ConnectionLeasesOptions {
  readonly pools: Pick<TenantPools, 'stats' | 'setLimit'>;
  readonly leases: ServerLeases;
  readonly connectionsFloor: number;
  /** The maximum number of connections to one server, including those without a lease. */
  readonly connectionsMax: number;
  readonly onFault: (error: unknown) => void;
}

interface Lease {
  granted: number;
  requested: number;
  renewedAtMs: number;
  isRequesting: boolean;
}

const LEASE_MS = 60_000;
/**
 * A lease is renewed when it is this old. This is early, so that it survives a short outage of the platform
 * database.
 */
const RENEW_AFTER_MS = 20_000;
const CHECK_INTERVAL_MS = 1_000;
const PRESS_DELAY_MS = 20;
/** The size of a lease is a multiple of this, so that it seldom changes. */
const STEP = 8;

export function startConnectionLeases(options: ConnectionLeasesOptions): ConnectionLeases {
  const { pools, leases, connectionsFloor, connectionsMax } = options;
  const leaseByServer = new Map<string, Lease>();
  const pressed = new Set<string>();
  const requesting = new Set<Promise<void>>();
  let pressTimer: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** Returns the number of open and awaited connections for each server. */
  function measure(): Map<string, number> {
    const demand = new Map<string, number>();
    for (const { serverId, open, wanted } of pools.stats())
      demand.set(serverId, (demand.get(serverId) ?? 0) + open + wanted);
    return demand;
  }

  /**
   * Returns the number of connections to lease. The lease covers the demand beyond `connectionsFloor` and
   * two more, rounded up to a multiple of `STEP`.
   */
  function toLeaseSize(demand: number): number {
    if (demand <= connectionsFloor - 2) return 0;
    const beyond = Math.ceil((demand + 2 - connectionsFloor) / STEP) * STEP;
    return Math.max(0, Math.min(connectionsMax - connectionsFloor, beyond));
  }

  function request(serverId: string, size: number): void {
    const done: Promise<void> = changeLease(serverId, size).finally(() => requesting.delete(done));
    requesting.add(done);
  }

  async function changeLease(serverId: string, size: number): Promise<void> {
    const lease = leaseByServer.get(serverId) ?? {
      granted: 0,
      requested: 0,
      renewedAtMs: Number.NEGATIVE_INFINITY,
      isRequesting: false,
    };
    if (lease.isRequesting) return;
    lease.isRequesting = true;
    leaseByServer.set(serverId, lease);
    try {
      // The connections must be out of use before the lease is reduced and other gateways can get them.
      if (size < lease.granted) pools.setLimit(serverId, connectionsFloor + size);
      lease.granted = await leases.lease(serverId, size, LEASE_MS);
      lease.requested = size;
      lease.renewedAtMs = performance.now();
      pools.setLimit(serverId, connectionsFloor + lease.granted);
    } catch (error) {
      // The last lease stays valid. While the platform database is unavailable, no other gateway can lease
      // its connections.
      options.onFault(error);
    } finally {
      lease.isRequesting = false;
    }
  }

  function checkDemand(): void {
    const nowMs = performance.now();
    for (const [serverId, demand] of measure()) {
      const size = toLeaseSize(demand);
      const lease = leaseByServer.get(serverId);
      if (lease === undefined) {
        if (size > 0) request(serverId, size);
        continue;
      }
      const isOld = lease.granted > 0 && nowMs - lease.renewedAtMs > RENEW_AFTER_MS;
      if (size !== lease.requested || lease.granted < lease.requested || isOld) request(serverId, size);
    }
  }

  function leaseForPressed(): void {
    pressTimer = undefined;
    const demand = measure();
    for (const serverId of pressed) {
      const size = toLeaseSize(demand.get(serverId) ?? 0);
      // `checkDemand` retries servers that had no more connections to lease.
      if (size > (leaseByServer.get(serverId)?.requested ?? 0)) request(serverId, size);
    }
    pressed.clear();
  }

  const timer = setInterval(checkDemand, CHECK_INTERVAL_MS);
  timer.unref();
  return {
    press(serverId) {
      if (isStopped) return;
      pressed.add(serverId);
      pressTimer ??= setTimeout(leaseForPressed, PRESS_DELAY_MS);
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      clearTimeout(pressTimer);
      // A lease that is granted after the others were released would keep its connections from other gateways.
      await Promise.all(requesting);
      if (leaseByServer.size > 0) await leases.releaseAll().catch(options.onFault);
    },
  };
}
