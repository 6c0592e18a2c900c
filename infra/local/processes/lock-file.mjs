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
 * Takes a lock that becomes invalid when its holder ends. The file names the process and its start time, so
 * the lock of a killed process is ignored.
 * @param {string} path
 * @param {{waitMs?: number}} [options] `waitMs`: how long to wait while the holder runs
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
 * Writes the lock to a temporary file and links it into place, so that no process reads half a lock.
 * @param {string} path
 * @param {LockHolder} self
 */
function placeLock(path, self) {
  const temporaryPath = `${path}.${self.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(temporaryPath, JSON.stringify(self), { mode: 0o600 });
  try {
    linkSync(temporaryPath, path);
    return true;
  } catch (err) {
    if (/** @type {NodeJS.ErrnoException} */ (err).code === 'EEXIST') return false;
    throw err;
  } finally {
    rmSync(temporaryPath, { force: true });
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
 * Removes a stale lock. Two processes may find the same stale lock, and the second must not remove the new
 * lock of the first.
 * @param {string} path
 * @param {LockHolder | null} stale
 */
function removeStaleLock(path, stale) {
  const temporaryPath = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, temporaryPath);
  } catch {
    return;
  }
  const moved = readHolder(temporaryPath);
  if (moved !== null && stale !== null && (moved.pid !== stale.pid || moved.startTime !== stale.startTime)) {
    try {
      linkSync(temporaryPath, path);
    } catch {
      // Another process has taken the lock in the meantime, and its lock stays.
    }
  }
  rmSync(temporaryPath, { force: true });
}

/**
 * @param {string} path
 * @param {LockHolder} self
 */
function releaseLock(path, self) {
  const holder = readHolder(path);
  if (holder?.pid === self.pid && holder.startTime === self.startTime) rmSync(path, { force: true });
}
