import type { TenantPools } from '@rowhouse/mysql';
import type { ServerLeases } from '@rowhouse/platform-store';

/**
 * Keeps the gateway's connections within the limit that each server's row sets for all gateways. Each gateway
 * has a guaranteed number of connections. Beyond that it holds a lease, which follows the number of open
 * connections.
 */
export interface ConnectionLeases {
  /** Reports that a caller waits for a connection to this server which the current limit does not allow. */
  press(serverId: string): void;
  stop(): Promise<void>;
}

export interface ConnectionLeasesOptions {
  readonly pools: Pick<TenantPools, 'stats' | 'setLimit'>;
  readonly leases: ServerLeases;
  readonly connectionsFloor: number;
  /** The maximum number of connections to ask for. */
  readonly connectionsMax: number;
  readonly onFault: (error: unknown) => void;
}

interface Held {
  granted: number;
  wanted: number;
  renewedAtMs: number;
  isAsking: boolean;
}

const LEASE_MS = 60_000;
/** Early enough that a short outage of the platform database does not lose a lease. */
const RENEW_AFTER_MS = 20_000;
const CHECK_INTERVAL_MS = 1_000;
const PRESS_DELAY_MS = 20;
/** Leases change in steps and include one spare step, so that few statements are sent. */
const STEP = 8;

export function startConnectionLeases(options: ConnectionLeasesOptions): ConnectionLeases {
  const { pools, leases, connectionsFloor, connectionsMax } = options;
  const held = new Map<string, Held>();
  const pressed = new Set<string>();
  let pressTimer: NodeJS.Timeout | undefined;

  /** Returns the number of open and awaited connections for each server. */
  function measure(): Map<string, number> {
    const demand = new Map<string, number>();
    for (const { serverId, open, wanted: requestedCount } of pools.stats())
      demand.set(serverId, (demand.get(serverId) ?? 0) + open + requestedCount);
    return demand;
  }

  function toWanted(demand: number): number {
    if (demand <= connectionsFloor - 2) return 0;
    const beyond = Math.ceil((demand + 2 - connectionsFloor) / STEP) * STEP;
    return Math.max(0, Math.min(connectionsMax - connectionsFloor, beyond));
  }

  async function ask(serverId: string, requestedCount: number): Promise<void> {
    const lease = held.get(serverId) ?? {
      granted: 0,
      wanted: 0,
      renewedAtMs: Number.NEGATIVE_INFINITY,
      isAsking: false,
    };
    if (lease.isAsking) return;
    lease.isAsking = true;
    held.set(serverId, lease);
    try {
      // Connections must be out of use before the lease returns them to other gateways.
      if (requestedCount < lease.granted) pools.setLimit(serverId, connectionsFloor + requestedCount);
      lease.granted = await leases.lease(serverId, requestedCount, LEASE_MS);
      lease.wanted = requestedCount;
      lease.renewedAtMs = performance.now();
      pools.setLimit(serverId, connectionsFloor + lease.granted);
    } catch (error) {
      // Without the platform database no other gateway can lease these connections, so the last lease stays
      // in force.
      options.onFault(error);
    } finally {
      lease.isAsking = false;
    }
  }

  function look(): void {
    const nowMs = performance.now();
    for (const [serverId, demand] of measure()) {
      const requestedCount = toWanted(demand);
      const lease = held.get(serverId);
      if (lease === undefined) {
        if (requestedCount > 0) void ask(serverId, requestedCount);
        continue;
      }
      const isOld = lease.granted > 0 && nowMs - lease.renewedAtMs > RENEW_AFTER_MS;
      if (requestedCount !== lease.wanted || lease.granted < lease.wanted || isOld)
        void ask(serverId, requestedCount);
    }
  }

  function pressImmediately(): void {
    pressTimer = undefined;
    const demand = measure();
    for (const serverId of pressed) {
      const requestedCount = toWanted(demand.get(serverId) ?? 0);
      // The timer retries servers that had no more connections to lease.
      if (requestedCount > (held.get(serverId)?.wanted ?? 0)) void ask(serverId, requestedCount);
    }
    pressed.clear();
  }

  const timer = setInterval(look, CHECK_INTERVAL_MS);
  timer.unref();
  return {
    press(serverId) {
      pressed.add(serverId);
      pressTimer ??= setTimeout(pressImmediately, PRESS_DELAY_MS);
    },
    async stop() {
      clearInterval(timer);
      clearTimeout(pressTimer);
      if (held.size > 0) await leases.releaseAll().catch(options.onFault);
    },
  };
}
