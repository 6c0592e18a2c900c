import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isStillRunning, readProcessIdentity } from './process-identity.mjs';

/**
 * @typedef {object} LockHolder
 * @property {number} pid
 * @property {string} startTime
 * @property {string} commandLine
 */

/**
 * Takes a lock that dies with its holder: the file names the process and the time it began, so a
 * lock left behind by a killed process is not honoured.
 *
 * @param {string} path
 * @param {{waitMs?: number}} [options] how long to wait for a living holder
 * @returns {Promise<{held: true, release: () => void} | {held: false, holder: LockHolder}>}
 */
export async function acquireLock(path, options = {}) {
  mkdirSync(dirname(path), { recursive: true });
  const self = readProcessIdentity(process.pid) ?? { pid: process.pid, startTime: '', commandLine: '' };
  const deadlineMs = Date.now() + (options.waitMs ?? 0);
  for (;;) {
    if (placeLock(path, self)) return { held: true, release: () => releaseLock(path, self) };
    const holder = readHolder(path);
    if (holder === null || !isStillRunning(holder)) {
      removeStaleLock(path, holder);
      continue;
    }
    if (Date.now() >= deadlineMs) return { held: false, holder };
    await sleep(100);
  }
}

/**
 * Written aside and linked into place, so that nobody ever reads half a lock.
 * @param {string} path
 * @param {LockHolder} self
 */
function placeLock(path, self) {
  const aside = `${path}.${self.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(aside, JSON.stringify(self), { mode: 0o600 });
  try {
    linkSync(aside, path);
    return true;
  } catch (err) {
    if (/** @type {NodeJS.ErrnoException} */ (err).code === 'EEXIST') return false;
    throw err;
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * @param {string} path
 * @returns {LockHolder | null}
 */
function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Two processes may find the same stale lock; the second must not throw away the first one's new lock.
 * @param {string} path
 * @param {LockHolder | null} stale
 */
function removeStaleLock(path, stale) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved !== null && stale !== null && (moved.pid !== stale.pid || moved.startTime !== stale.startTime)) {
    try {
      linkSync(aside, path);
    } catch {
      // A third one was quicker: its lock stands.
    }
  }
  rmSync(aside, { force: true });
}

/**
 * @param {string} path
 * @param {LockHolder} self
 */
function releaseLock(path, self) {
  const holder = readHolder(path);
  if (holder?.pid === self.pid && holder.startTime === self.startTime) rmSync(path, { force: true });
}
