import type { PipelinedExecutor } from '../execute/pipelined-executor.js';
import type { TenantPools } from '../pool/tenant-pools.js';

/**
 * Returns the executor of pools that read the packets of the protocol themselves. It shares connections
 * between statements.
 */
export function shared({ executor }: Pick<TenantPools, 'executor'>): PipelinedExecutor {
  return executor as PipelinedExecutor;
}
