// @ts-check
/** Measures the latency of a tenant that sends requests at a steady rate while other work runs. */
import { spawn } from 'node:child_process';
import { send } from '../../../support/http.mjs';
import { limitPace } from '../../lib/pace.mjs';

/**
 * Sends reads in an open loop. Latency counts from the moment at which a request was due.
 * @param {{ base: string, key: string, perSecond: number, until: () => boolean }} options
 */
export async function readSteadily({ base, key, perSecond, until }) {
  /** @type {number[]} */
  const latencies = [];
  /** @type {Promise<void>[]} */
  const open = [];
  let failed = 0;
  const startedMs = performance.now();
  await limitPace({
    perSecond,
    until,
    fire: (index) => {
      const dueMs = startedMs + ((index + 1) * 1_000) / perSecond;
      const item = send(base, 'GET', `/v1/-/users/${1 + (index % 20)}`, {
        headers: { Authorization: `Bearer ${key}` },
      }).then(
        ({ status }) => {
          if (status !== 200) failed += 1;
          latencies.push(performance.now() - dueMs);
        },
        () => void (failed += 1),
      );
      open.push(item);
    },
  });
  await Promise.all(open);
  return { latencies, failed };
}

/** @param {number} seconds */
export function forSeconds(seconds) {
  const endMs = performance.now() + seconds * 1_000;
  return () => performance.now() > endMs;
}

/**
 * Starts plain processes that use this many cores. The last one may use a part of a core.
 * @param {number} cores
 * @returns {() => void} ends the processes
 */
export function burnCores(cores) {
  const parts = [
    ...Array.from({ length: Math.floor(cores) }, () => 1),
    ...(cores % 1 > 0.02 ? [cores % 1] : []),
  ];
  const children = parts.map((part) =>
    spawn(process.execPath, ['-e', BURN, String(part)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  );
  return () => children.forEach((child) => child.kill('SIGKILL'));
}

/** The process burns its part of each 20 ms, until its parent is gone. */
const BURN =
  'process.on("disconnect", () => process.exit()); const part = Number(process.argv[1]); const turn = () => { const end = performance.now() + 20 * part; while (performance.now() < end) Math.sqrt(Math.random()); setTimeout(turn, 20 * (1 - part)); }; turn();';
