// @ts-check
import { describeMoment } from '../../support/change-load/read-cut-overs.mjs';
import { percentile, summarize } from '../../support/write-report.mjs';

const SLOWEST_TOLD = 5;

/** Latencies from the moment at which a request was due, and whether they keep within what the load costs without a change. @param {import('../../support/change-load/run-change.mjs').ChangeResult} result */
export function describeChange(result) {
  const times = (/** @type {import('../../support/change-load/load-client.mjs').Asked[]} */ asked) => asked.map((one) => one.endMs - one.dueMs);
  const [changed, control, held] = [summarize(times(result.changed)), summarize(times(result.control)), result.held.length === 0 ? null : summarize(times(result.held))];
  const isWithin = (/** @type {ReturnType<typeof summarize>} */ part) => part.p99 <= Math.max(2 * control.p99, control.p99 + 10) && part.max <= Math.max(250, control.max + 100);
  const slowest = [...result.changed, ...result.held].sort((a, b) => b.endMs - b.dueMs - (a.endMs - a.dueMs)).slice(0, SLOWEST_TOLD);
  return {
    name: result.name, engine: result.engine, strategies: result.strategies, rounds: result.rounds, in_flight: result.inFlight,
    migration_ms: Math.round(percentile(result.migrationMs, 0.5)), changed, control, held,
    is_within: isWithin(changed), is_held_within: held === null || isWithin(held),
    refused: [...result.changed, ...result.held].filter((one) => one.isRefused).length,
    slowest: slowest.map((one) => `${one.kind}: ${Math.round(one.endMs - one.dueMs)} ms, during ${describeMoment(one, result.stretches)}`),
    failed: result.failed, lost: result.lost, broken: result.broken,
  };
}

/** One change in a line, and below it what is wrong with it. @param {ReturnType<typeof describeChange>} one */
export function tellChange(one) {
  const faults = [...one.failed.slice(0, 5), ...one.lost.slice(0, 5), ...one.broken];
  const isSlow = !one.is_within || !one.is_held_within;
  return [
    `${one.engine} ${one.name} (${one.strategies}): ${one.rounds} rounds of ${one.migration_ms} ms, ${one.in_flight} in flight, ${one.failed.length} failed, ${one.lost.length} lost, p99 ${one.changed.p99} of ${one.control.p99} ms, max ${one.changed.max} of ${one.control.max} ms, held p99 ${one.held?.p99 ?? '-'} max ${one.held?.max ?? '-'} ms${isSlow ? ': TOO SLOW' : ''}`,
    ...faults, ...(isSlow ? one.slowest : []),
  ].join('\n  ');
}
