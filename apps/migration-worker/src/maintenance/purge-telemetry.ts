import { PLAN_NAMES, PLANS, type PlanLimits } from '@rowhouse/contracts';
import { THE_BEGINNING, type Purged, type RetentionStore } from '@rowhouse/platform-store';

/**
 * The number of rows that one DELETE removes. It is small, so that other statements are not blocked for long.
 */
export const ROWS_PER_BATCH = 1_000;
const BATCHES_PER_PASS_MAX = 50;
/**
 * After this number of passes, rows before the recorded time are checked again, because a database may have
 * changed to a plan with a shorter retention.
 */
const PASSES_PER_MARK = 60;
/** The plan whose retention applies to databases that no row mentions. */
const LONGEST: PlanLimits = PLANS.unlimited;

export interface TelemetryPurge {
  /**
   * Runs one pass over all plans and returns the number of deleted rows. If rows remain, the next pass
   * deletes them.
   */
  run(stopping: AbortSignal): Promise<number>;
}

/**
 * Deletes request logs and the usage of each minute when the retention time of their plan has ended, in small
 * batches and oldest first.
 */
export function createTelemetryPurge(store: RetentionStore): TelemetryPurge {
  /** The time up to which rows are deleted, by kind and plan. */
  const through = new Map<string, string>();

  let passes = 0;

  async function purgeOne(
    name: string,
    stopping: AbortSignal,
    purge: (after: string) => Promise<Purged>,
  ): Promise<number> {
    let total = 0;
    for (let batch = 0; batch < BATCHES_PER_PASS_MAX && !stopping.aborted; batch += 1) {
      const purged = await purge(through.get(name) ?? THE_BEGINNING);
      total += purged.rows;
      if (purged.through !== null) through.set(name, purged.through);
      if (purged.rows < ROWS_PER_BATCH) break;
    }
    return total;
  }

  return {
    async run(stopping) {
      if (passes % PASSES_PER_MARK === 0) through.clear();
      passes += 1;
      let total = 0;
      const plans = [...PLAN_NAMES.map((plan) => [plan, PLANS[plan]] as const), [null, LONGEST] as const];
      for (const [plan, { requestLogDays, usageDays }] of plans) {
        total += await purgeOne(`log ${plan}`, stopping, (after) =>
          store.purgeRequestLog(plan, requestLogDays, after, ROWS_PER_BATCH),
        );
        total += await purgeOne(`usage ${plan}`, stopping, (after) =>
          store.purgeUsage(plan, usageDays, after, ROWS_PER_BATCH),
        );
      }
      return total;
    },
  };
}
