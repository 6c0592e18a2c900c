// @ts-check
/**
 * Finds the times at which a migration changed the schema or the data that gateways serve. The times come
 * from the migration's journal, and within a rebuild from the worker's log.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ startMs: number, endMs: number }} Window
 * @typedef {Window & { label: string }} Stretch a phase of a migration
 */

/**
 * The phases of a rebuild that copy and compare rows. They can take long, and gateways serve the same table
 * throughout.
 */
const QUIET_PHASES = new Set(['copy', 'verify']);

/**
 * @param {{ platform: import('mysql2/promise').Connection, dataDir: string }} product `platform` is connected
 *   to the cell's schema, with UTC times
 * @param {string} migrationId
 * @returns {Promise<{ windows: Window[], strategies: string[], stretches: Stretch[] }>} `strategies` has that
 *   of each DDL step, in order
 */
export async function readCutOvers({ platform, dataDir }, migrationId) {
  const [rows] = await platform.query(
    'SELECT kind, strategy, started_at, finished_at FROM migration_step WHERE migration_id = ? AND finished_at IS NOT NULL ORDER BY ordinal',
    [migrationId],
  );
  const steps = /** @type {{ kind: string, strategy: string, started_at: Date, finished_at: Date }[]} */ (
    rows
  ).map((row) => ({ ...row, startMs: row.started_at.getTime(), endMs: row.finished_at.getTime() }));
  const phases = readPhases(
    join(dataDir, 'logs', 'migration-worker.log'),
    migrationId,
    steps.at(-1)?.endMs ?? 0,
  );
  const windows = steps
    .filter((step) => step.kind !== 'check_rows')
    .flatMap((step) =>
      cutOut(
        step,
        phases.filter(({ label }) => QUIET_PHASES.has(label)),
      ),
    );
  // The shortest stretch comes first: a phase of a rebuild tells more than the step that contains the phase.
  const stretches = [
    ...phases.map((phase) => ({ ...phase, label: `rebuild: ${phase.label}` })),
    ...steps.map(({ kind, strategy, startMs, endMs }) => ({
      label: kind === 'ddl' ? strategy : kind,
      startMs,
      endMs,
    })),
  ];
  return {
    windows,
    stretches,
    strategies: steps.filter((step) => step.kind === 'ddl').map((step) => step.strategy),
  };
}

/** @param {Window} window @param {readonly Window[]} gaps in order @returns {Window[]} */
function cutOut(window, gaps) {
  /** @type {Window[]} */
  const left = [];
  let { startMs } = window;
  for (const gap of gaps.filter((item) => item.endMs > window.startMs && item.startMs < window.endMs)) {
    left.push({ startMs, endMs: gap.startMs });
    startMs = gap.endMs;
  }
  return [...left, { startMs, endMs: window.endMs }];
}

/**
 * @param {string} path
 * @param {string} migrationId
 * @param {number} endMs the end of the last one
 * @returns {Stretch[]} the phases of its rebuilds, in order
 */
function readPhases(path, migrationId, endMs) {
  const entered = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes(migrationId) && line.includes('"phase"'))
    .map((line) => JSON.parse(line))
    .map(({ phase, time }) => ({ phase, atMs: Date.parse(time) }));
  return entered.map((entry, index) => ({
    label: entry.phase,
    startMs: entry.atMs,
    endMs: entered[index + 1]?.atMs ?? endMs,
  }));
}

/**
 * Describes the phases during a request, from sending to response.
 * @param {Pick<import('./load-client.mjs').Asked, 'dueMs' | 'endMs'>} item
 * @param {readonly Stretch[]} stretches
 */
export function describeMoment(item, stretches) {
  const met = stretches
    .filter(({ startMs, endMs }) => item.dueMs <= endMs && item.endMs >= startMs)
    .map(({ label }) => label);
  const phases = met.filter((label) => label.startsWith('rebuild: '));
  const messages = phases.length > 0 ? phases : met;
  return messages.length === 0 ? 'between the steps' : [...new Set(messages)].join(', ');
}

/**
 * Counts the requests in flight during any window.
 * @param {readonly import('./load-client.mjs').Asked[]} requests
 * @param {readonly Window[]} windows
 */
export function countInFlight(requests, windows) {
  return requests.filter((item) =>
    windows.some((window) => item.sentMs <= window.endMs && item.endMs >= window.startMs),
  ).length;
}
