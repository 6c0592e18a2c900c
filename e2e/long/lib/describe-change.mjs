// @ts-check
import { percentile, summarize } from '../../support/write-report.mjs';

/** Latencies from the moment at which a request was due, and whether they keep within what the load costs without a change. @param {import('../../support/change-load/run-change.mjs').ChangeResult} result */
export function describeChange(result) {
  const times = (/** @type {import('../../support/change-load/load-client.mjs').Asked[]} */ asked) => asked.map((one) => one.endMs - one.dueMs);
  const [changed, control, held] = [summarize(times(result.changed)), summarize(times(result.control)), result.held.length === 0 ? null : summarize(times(result.held))];
  const isWithin = (/** @type {ReturnType<typeof summarize>} */ part) => part.p99 <= Math.max(2 * control.p99, control.p99 + 10) && part.max <= Math.max(250, control.max + 100);
  return {
    name: result.name, engine: result.engine, strategies: result.strategies, rounds: result.rounds, in_flight: result.inFlight,
    migration_ms: Math.round(percentile(result.migrationMs, 0.5)), changed, control, held,
    is_within: isWithin(changed), is_held_within: held === null || isWithin(held),
    refused: [...result.changed, ...result.held].filter((one) => one.isRefused).length,
    failed: result.failed, lost: result.lost, broken: result.broken,
  };
}
