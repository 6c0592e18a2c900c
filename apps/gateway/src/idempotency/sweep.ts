import { runStatements, type TenantPools } from '@rowhouse/mysql';
import { LRUCache } from 'lru-cache';
import { CONNECTION_WAIT_MS, rowsTarget } from '../statements/run-program.js';
import type { TenantDatabase } from '../tenant/tenant.js';
import { sweepRecords } from './idempotency-table.js';

/** Deletes expired records in databases that use them. */
export interface IdempotencySweep {
  /**
   * Reports that the database has just stored a record. Deletes in the background, at most once in ten
   * minutes. Never throws.
   */
  note(database: TenantDatabase): void;
}

const INTERVAL_MS = 10 * 60_000;
const ROWS_PER_STATEMENT = 1_000;
const STATEMENTS_MAX = 20;
const DATABASES_MAX = 20_000;

export function createIdempotencySweep(
  pools: TenantPools,
  onFault: (error: unknown) => void,
): IdempotencySweep {
  const sweptAtMs = new LRUCache<string, number>({ max: DATABASES_MAX });

  async function sweep(database: TenantDatabase): Promise<void> {
    for (let iteration = 0; iteration < STATEMENTS_MAX; iteration += 1) {
      const removed = await runStatements(
        pools,
        rowsTarget(database),
        { mode: 'write', waitMs: CONNECTION_WAIT_MS },
        (run) => sweepRecords(run, database.record.schemaName, ROWS_PER_STATEMENT),
      );
      if (removed < ROWS_PER_STATEMENT) return;
    }
  }

  return {
    note(database) {
      const nowMs = performance.now();
      const lastMs = sweptAtMs.get(database.record.id);
      if (lastMs !== undefined && nowMs - lastMs < INTERVAL_MS) return;
      sweptAtMs.set(database.record.id, nowMs);
      sweep(database).catch(onFault);
    },
  };
}
