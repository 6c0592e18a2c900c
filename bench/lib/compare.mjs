// @ts-check
import { percentile } from '@rowhouse/e2e/support/write-report';

/** @typedef {import('./run-rounds.mjs').RoundFigures} RoundFigures */

/**
 * @typedef {object} Comparison
 * @property {string} target
 * @property {number} perSecond the median
 * @property {{ median: number, min: number, max: number }} ratio requests per second relative to the baseline
 *   in the same round
 * @property {number} p50Us
 * @property {number} p99Us
 * @property {number | null} cpuUs
 * @property {number | null} cpuRatio
 * @property {number | null} databaseCpuUs
 * @property {number | null} diskFlushes per request
 * @property {number} failures
 */

/**
 * @param {Readonly<Record<string, readonly RoundFigures[]>>} figures
 * @param {string} baseline
 * @returns {Comparison[]}
 */
export function compareTargets(figures, baseline) {
  const base = figures[baseline];
  if (base === undefined) throw new Error(`No figures for ${baseline}`);
  const baseCpu = medianOf(base.map((round) => round.cpuUs));
  return Object.entries(figures).map(([target, rounds]) => {
    const ratios = rounds.map((round, index) => round.perSecond / (base[index]?.perSecond ?? Number.NaN));
    const cpuUs = medianOf(rounds.map((round) => round.cpuUs));
    return {
      target,
      perSecond: percentile(
        rounds.map((round) => round.perSecond),
        0.5,
      ),
      ratio: { median: percentile(ratios, 0.5), min: Math.min(...ratios), max: Math.max(...ratios) },
      p50Us: percentile(
        rounds.map((round) => round.p50Us),
        0.5,
      ),
      p99Us: percentile(
        rounds.map((round) => round.p99Us),
        0.5,
      ),
      cpuUs,
      cpuRatio: cpuUs === null || baseCpu === null ? null : cpuUs / baseCpu,
      databaseCpuUs: medianOf(rounds.map((round) => round.databaseCpuUs)),
      diskFlushes: medianOf(rounds.map((round) => round.diskFlushes)),
      failures: rounds.reduce((sum, round) => sum + round.failures, 0),
    };
  });
}

/** @param {readonly (number | null)[]} values */
function medianOf(values) {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : percentile(known, 0.5);
}

/** @param {readonly Comparison[]} rows */
export function formatTable(rows) {
  const number = (/** @type {number | null} */ value, digits = 0) =>
    value === null ? '-' : value.toFixed(digits);
  return [
    '| Target | req/s | ratio (spread) | p50 us | p99 us | CPU us/request (ratio) | database CPU us/request | disk flushes/request | failures |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.target} | ${number(row.perSecond)} | ${number(row.ratio.median, 2)} (${number(row.ratio.min, 2)} to ${number(row.ratio.max, 2)}) | ${number(row.p50Us)} | ${number(row.p99Us)} | ${number(row.cpuUs, 1)} (${number(row.cpuRatio, 2)}) | ${number(row.databaseCpuUs, 1)} | ${number(row.diskFlushes, 3)} | ${row.failures} |`,
    ),
  ].join('\n');
}
