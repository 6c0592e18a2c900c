// @ts-check
import { describeMoment } from '../../../support/change-load/read-cut-overs.mjs';
import { omitStolenTime } from '../../../support/watch-stolen.mjs';
import { percentile, summarize } from '../../../support/write-report.mjs';

const SLOWEST_SHOWN_MAX = 5;
/** The minimum number of requests for a p99, which otherwise depends on one or two requests. */
const JUDGED_MIN = 300;

/** @typedef {import('../../../support/change-load/load-client.mjs').Asked} Asked */

/**
 * Returns latencies, counted from the time at which each request was due. Also returns whether the latencies
 * during the change are within the limits derived from those without a change. The p99 excludes requests that
 * were due while the host withheld CPU time. The maximum includes all requests.
 * @param {import('../../../support/change-load/run-change.mjs').ChangeResult} result
 */
export function describeChange(result) {
  const [changed, control, held] = [
    describePart(result.changed, result.stolen),
    describePart(result.control, result.stolen),
    result.held.length === 0 ? null : describePart(result.held, result.stolen),
  ];
  const isWithin = (/** @type {ReturnType<typeof describePart>} */ part) =>
    part.p99 <= Math.max(2 * control.p99, control.p99 + 10) && part.max <= Math.max(250, control.max + 100);
  const slowest = [...result.changed, ...result.held]
    .sort((a, b) => b.endMs - b.dueMs - (a.endMs - a.dueMs))
    .slice(0, SLOWEST_SHOWN_MAX);
  return {
    name: result.name,
    engine: result.engine,
    strategies: result.strategies,
    rounds: result.rounds,
    in_flight: result.inFlight,
    migration_ms: Math.round(percentile(result.migrationMs, 0.5)),
    changed,
    control,
    held,
    is_within: isWithin(changed) && changed.count >= JUDGED_MIN,
    is_held_within: held === null || isWithin(held),
    refused: [...result.changed, ...result.held].filter((item) => item.isRefused).length,
    slowest: slowest.map(
      (item) =>
        `${item.kind}: ${Math.round(item.endMs - item.dueMs)} ms, during ${describeMoment(item, result.stretches)}`,
    ),
    failed: result.failed,
    lost: result.lost,
    broken: result.broken,
  };
}

/**
 * @param {readonly Asked[]} requests
 * @param {import('../../../support/watch-stolen.mjs').Stretch[]} stolen
 */
function describePart(requests, stolen) {
  const times = (/** @type {readonly Asked[]} */ some) =>
    summarize(some.map((item) => item.endMs - item.dueMs));
  const [all, left] = [times(requests), times(omitStolenTime(requests, stolen))];
  return { ...left, max: all.max, asked: all.count, p99_of_all: all.p99 };
}

/**
 * Returns one line about a change, with its faults below.
 * @param {ReturnType<typeof describeChange>} item
 */
export function reportChange(item) {
  const faults = [...item.failed.slice(0, 5), ...item.lost.slice(0, 5), ...item.broken];
  const isSlow = !item.is_within || !item.is_held_within;
  return [
    `${item.engine} ${item.name} (${item.strategies}): ${item.rounds} rounds of ${item.migration_ms} ms, ${item.in_flight} in flight, ${item.failed.length} failed, ${item.lost.length} lost, p99 ${reportP99(item.changed)} of ${reportP99(item.control)} ms, max ${item.changed.max} of ${item.control.max} ms, held p99 ${item.held === null ? '-' : reportP99(item.held)} max ${item.held?.max ?? '-'} ms${isSlow ? ': TOO SLOW' : ''}`,
    ...faults,
    ...(isSlow ? item.slowest : []),
  ].join('\n  ');
}

/** @param {ReturnType<typeof describePart>} part */
const reportP99 = (part) =>
  part.count === part.asked
    ? `${part.p99}`
    : `${part.p99} (${part.count} of ${part.asked}, of all ${part.p99_of_all})`;
