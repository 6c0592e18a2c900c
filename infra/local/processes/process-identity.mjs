import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identifies a process by its pid and its start time, because pids are reused.
 * @typedef {object} ProcessIdentity
 * @property {number} pid
 * @property {string} startTime clock ticks since boot on Linux, the text of `ps -o lstart` elsewhere
 * @property {string} commandLine
 */

/**
 * @param {number} pid
 * @returns {ProcessIdentity | null} null when no such process runs; a zombie does not count as running
 */
export function readProcessIdentity(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
}

/**
 * @param {{pid: number, startTime: string}} recorded
 * @returns {boolean}
 */
export function isStillRunning(recorded) {
  const found = readProcessIdentity(recorded.pid);
  return found !== null && found.startTime === recorded.startTime;
}

/** @param {number} pid */
function readFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces, so fields are counted from the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return { pid, startTime: fields[19] ?? '', commandLine };
  } catch {
    return null;
  }
}

/** @param {number} pid */
function readFromPs(pid) {
  try {
    const readField = (/** @type {string} */ field) =>
      execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    const startTime = readField('lstart');
    const commandLine = readField('command');
    return startTime === '' ? null : { pid, startTime, commandLine };
  } catch {
    return null;
  }
}
