import type { TenantPools } from '@rowhouse/mysql';
import type { ServerLeases } from '@rowhouse/platform-store';

/**
 * Keeps this gateway's connections within what each server's row allows over all gateways: a floor that is always its
 * own, and beyond it a lease that follows what is open. A server that is full is shared by leases; one that is not is
 * anybody's.
 */
export interface ConnectionLeases {
  /** A caller waits for a connection to this server that the limit does not allow. */
  press(serverId: string): void;
  stop(): Promise<void>;
}

export interface ConnectionLeasesOptions {
  readonly pools: Pick<TenantPools, 'stats' | 'setLimit'>;
  readonly leases: ServerLeases;
  readonly connectionsFloor: number;
  /** Never asks for more, whatever is wanted. */
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
/** Early enough that a platform database which is away for a while costs nothing. */
const RENEW_AFTER_MS = 20_000;
const LOOK_INTERVAL_MS = 1_000;
const PRESS_DELAY_MS = 20;
/** Leases move in steps, with room for one more step, so that few statements are sent. */
const STEP = 8;

export function startConnectionLeases(options: ConnectionLeasesOptions): ConnectionLeases {
  const { pools, leases, connectionsFloor, connectionsMax } = options;
  const held = new Map<string, Held>();
  const pressed = new Set<string>();
  let pressTimer: NodeJS.Timeout | undefined;

  /** Connections of each server that are open or waited for. */
  function measure(): Map<string, number> {
    const demand = new Map<string, number>();
    for (const { serverId, open, wanted } of pools.stats()) demand.set(serverId, (demand.get(serverId) ?? 0) + open + wanted);
    return demand;
  }

  function toWanted(demand: number): number {
    if (demand <= connectionsFloor - 2) return 0;
    const beyond = Math.ceil((demand + 2 - connectionsFloor) / STEP) * STEP;
    return Math.max(0, Math.min(connectionsMax - connectionsFloor, beyond));
  }

  async function ask(serverId: string, wanted: number): Promise<void> {
    const lease = held.get(serverId) ?? { granted: 0, wanted: 0, renewedAtMs: Number.NEGATIVE_INFINITY, isAsking: false };
    if (lease.isAsking) return;
    lease.isAsking = true;
    held.set(serverId, lease);
    try {
      // What is given back must not be in use any more when others may take it.
      if (wanted < lease.granted) pools.setLimit(serverId, connectionsFloor + wanted);
      lease.granted = await leases.lease(serverId, wanted, LEASE_MS);
      lease.wanted = wanted;
      lease.renewedAtMs = performance.now();
      pools.setLimit(serverId, connectionsFloor + lease.granted);
    } catch (error) {
      // Nobody can take what is leased while nobody reaches the platform database: the last lease goes on.
      options.onFault(error);
    } finally {
      lease.isAsking = false;
    }
  }

  function look(): void {
    const nowMs = performance.now();
    for (const [serverId, demand] of measure()) {
      const wanted = toWanted(demand);
      const lease = held.get(serverId);
      if (lease === undefined) {
        if (wanted > 0) void ask(serverId, wanted);
        continue;
      }
      const isOld = lease.granted > 0 && nowMs - lease.renewedAtMs > RENEW_AFTER_MS;
      if (wanted !== lease.wanted || lease.granted < lease.wanted || isOld) void ask(serverId, wanted);
    }
  }

  function pressNow(): void {
    pressTimer = undefined;
    const demand = measure();
    for (const serverId of pressed) {
      const wanted = toWanted(demand.get(serverId) ?? 0);
      // A server that had no more to give is asked again by the clock.
      if (wanted > (held.get(serverId)?.wanted ?? 0)) void ask(serverId, wanted);
    }
    pressed.clear();
  }

  const timer = setInterval(look, LOOK_INTERVAL_MS);
  timer.unref();
  return {
    press(serverId) {
      pressed.add(serverId);
      pressTimer ??= setTimeout(pressNow, PRESS_DELAY_MS);
    },
    async stop() {
      clearInterval(timer);
      clearTimeout(pressTimer);
      if (held.size > 0) await leases.releaseAll().catch(options.onFault);
    },
  };
}
