// @ts-check
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { percentile } from '@rowhouse/e2e/support/write-report';
import { sumCpuMs } from './cpu-time.mjs';

const run = promisify(execFile);
const driver = fileURLToPath(new URL('drive.mjs', import.meta.url));

/**
 * @typedef {object} RoundFigures
 * @property {number} perSecond
 * @property {number} p50Us
 * @property {number} p99Us
 * @property {number} failures
 * @property {number | null} cpuUs of the target per request; null without /proc
 * @property {number | null} databaseCpuUs per request
 * @property {number | null} diskFlushes of the database per request; null when they are not counted
 * @typedef {object} Load
 * @property {number} connections
 * @property {number} durationMs
 * @property {number} seed
 */

/**
 * Runs every target once per round and rotates their order,
 * so that a slow period of the machine affects all of them.
 * @param {object} options
 * @param {readonly import('./bench-case.mjs').BenchTarget[]} options.targets
 * @param {{ file: string, name: string }} options.benchCase
 * @param {import('./bench-case.mjs').DataSize} options.size
 * @param {number} options.databasePid
 * @param {number} options.rounds
 * @param {Load} options.load
 * @param {() => Promise<number>} [options.countDiskFlushes] returns the disk flushes of the database since it
 *   started
 * @returns {Promise<Record<string, RoundFigures[]>>} the figures of each target, in the order of rounds
 */
export async function runRounds({ targets, benchCase, size, databasePid, rounds, load, countDiskFlushes }) {
  /** @type {Record<string, RoundFigures[]>} */
  const figures = Object.fromEntries(targets.map((target) => [target.name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const turned = targets.map((_, index) => targets[(index + round) % targets.length]);
    for (const target of turned) {
      if (target === undefined) continue;
      const before = await countDiskFlushes?.();
      const item = await runOne(target, benchCase, size, databasePid, { ...load, seed: load.seed + round });
      const after = await countDiskFlushes?.();
      figures[target.name]?.push({
        ...item,
        diskFlushes: before === undefined || after === undefined ? null : (after - before) / item.requests,
      });
    }
  }
  return figures;
}

/**
 * @param {import('./bench-case.mjs').BenchTarget} target
 * @param {{ file: string, name: string }} benchCase
 * @param {import('./bench-case.mjs').DataSize} size
 * @param {number} databasePid
 * @param {Load} load
 * @returns {Promise<Omit<RoundFigures, 'diskFlushes'> & { requests: number }>}
 */
export async function runOne(target, benchCase, size, databasePid, load) {
  const job = {
    base: target.base,
    key: target.key,
    caseFile: benchCase.file,
    caseName: benchCase.name,
    size,
    ...(target.peer === undefined ? {} : { peer: target.peer.name }),
    ...load,
  };
  const before = [sumCpuMs(target.pids), sumCpuMs([databasePid])];
  const { stdout } = await run(process.execPath, [driver, JSON.stringify(job)], { maxBuffer: 16 * 2 ** 20 });
  const after = [sumCpuMs(target.pids), sumCpuMs([databasePid])];
  const result = /** @type {import('./drive.mjs').DriveResult} */ (JSON.parse(stdout));
  const perRequestUs = (/** @type {number} */ index) => {
    const [from, to] = [before[index], after[index]];
    return from === null || to === null || from === undefined || to === undefined
      ? null
      : ((to - from) * 1_000) / result.requests;
  };
  return {
    requests: result.requests,
    perSecond: result.requests / (result.elapsedMs / 1_000),
    p50Us: percentile(result.latenciesUs, 0.5),
    p99Us: percentile(result.latenciesUs, 0.99),
    failures: result.failures,
    cpuUs: perRequestUs(0),
    databaseCpuUs: perRequestUs(1),
  };
}
