import { createResponseSlices, createEventLoopScheduler, type EventLoopScheduler } from '@rowhouse/admission';
import { createTenantPools, DEFAULT_POOL_OPTIONS, type TenantPools } from '@rowhouse/mysql';
import { createServerLeases } from '@rowhouse/platform-store';
import type { GatewayConfig } from '../config.js';
import { startConnectionLeases, type ConnectionLeases } from '../limits/connection-leases.js';
import { LIMITS } from '../limits/limits.js';
import type { PlatformConnections } from './connect-platform.js';

export interface Pools {
  readonly pools: TenantPools;
  /** The leases that limit the connections of all gateways to a server. */
  readonly leases: ConnectionLeases;
  readonly scheduler: EventLoopScheduler;
}

/** Creates the session pools for tenants' servers. */
export function createPools(
  config: GatewayConfig,
  { pool, cellId, identity, accountRepairs }: PlatformConnections,
  onFault: (error: unknown) => void,
): Pools {
  const { serverConnectionsFloor, serverConnectionsMax, answersReadBy, writesTogether } = config;
  const scheduler = createEventLoopScheduler();
  const pools = createTenantPools({
    ...DEFAULT_POOL_OPTIONS,
    paceResponse: (schemaName, openFlow) => createResponseSlices(scheduler, schemaName, openFlow),
    answersReadBy,
    writesTogether,
    statementMsMax: LIMITS.statementMsMax,
    connectionsFloor: serverConnectionsFloor,
    onRejected: (account) => accountRepairs.await(account.databaseId ?? ''),
    onPressure: (serverId) => leases.press(serverId),
  });
  const leases = startConnectionLeases({
    pools,
    leases: createServerLeases(pool, { cellId, holder: identity.gatewayId }),
    connectionsFloor: serverConnectionsFloor,
    connectionsMax: serverConnectionsMax,
    onFault,
  });
  return { pools, leases, scheduler };
}
