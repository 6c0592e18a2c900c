import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { readProcessIdentity } from '../processes/process-identity.mjs';

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'fish']);

/**
 * Calls back once when one of the package managers above this process ends. On SIGTERM, `npx` signals only
 * its shell and exits. The package manager that runs the launcher keeps running and gets no signal.
 * @param {() => void} onGone
 */
export function watchPackageManager(onGone) {
  const pids = listPackageManagers(process.pid, readProcessIdentity, readParent);
  const timer = setInterval(() => {
    if (pids.every((pid) => isAlive(pid))) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
}

/**
 * Lists the uninterrupted sequence of shells and package managers above a process, up to the topmost package
 * manager. A shell above the topmost package manager is the user's own. It may end while the launcher
 * continues in the background.
 * @param {number} pid
 * @param {(pid: number) => {commandLine: string} | null} read
 * @param {(pid: number) => number} parentOf
 * @returns {number[]} nearest first
 */
export function listPackageManagers(pid, read, parentOf) {
  /** @type {{pid: number, isManager: boolean}[]} */
  const row = [];
  for (let index = parentOf(pid); index > 1; index = parentOf(index)) {
    const words = (read(index)?.commandLine ?? '').split(' ');
    const isShell = SHELLS.has(basename(words[0] ?? '').replace(/^-/, ''));
    const isManager =
      !isShell &&
      words.slice(0, 3).some((word) => /^(npm|npx|pnpm)(-cli)?(\.[cm]?js)?(@|$)/.test(basename(word)));
    if (!isShell && !isManager) break;
    row.push({ pid: index, isManager });
  }
  while (row.length > 0 && row.at(-1)?.isManager === false) row.pop();
  return row.map((item) => item.pid);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return /** @type {NodeJS.ErrnoException} */ (err).code === 'EPERM';
  }
}

/** @param {number} pid */
function readParent(pid) {
  try {
    if (process.platform !== 'linux')
      return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).trim());
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
