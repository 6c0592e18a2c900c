// @ts-check
/** When the host took this machine's processors away: a measurement of the moment says nothing about the product. */
import { readFileSync } from 'node:fs';
import { readClock } from './change-load/load-client.mjs';

/**
 * @typedef {{ fromMs: number, toMs: number }} Stretch by the clock of the load
 * @typedef {{ dueMs: number }} Due
 */

const SAMPLE_MS = 100;
/** Ticks of 10 ms, of all processors together. */
const STOLEN_TICKS_MIN = 2;
/** What was due shortly before waits in the stretch, what comes shortly after behind the queue that it left. */
const BEFORE_MS = 20;
const AFTER_MS = 100;
/** `steal` of the line of all processors in /proc/stat. */
const STEAL_AT = 8;

/** Watches until `stop`, which gives the stretches; none where the system does not tell. @returns {{ stop: () => Stretch[] }} */
export function watchStolen() {
  /** @type {Stretch[]} */
  const stretches = [];
  let last = { ticks: readStolenTicks(), atMs: readClock() };
  const timer = setInterval(() => {
    const now = { ticks: readStolenTicks(), atMs: readClock() };
    if (now.ticks - last.ticks >= STOLEN_TICKS_MIN) stretches.push({ fromMs: last.atMs, toMs: now.atMs });
    last = now;
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return stretches;
    },
  };
}

/**
 * Without what was due during a stretch or next to one. It goes by when a request was due and not by how long it took, so
 * that slow ones are not left out more often than others.
 * @template {Due} T @param {readonly T[]} asked @param {readonly Stretch[]} stretches sorted @returns {T[]}
 */
export function leaveOutStolen(asked, stretches) {
  return asked.filter(({ dueMs }) => !stretches.some(({ fromMs, toMs }) => dueMs >= fromMs - BEFORE_MS && dueMs <= toMs + AFTER_MS));
}

function readStolenTicks() {
  try {
    return Number(readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/)[STEAL_AT] ?? 0);
  } catch {
    return 0;
  }
}
