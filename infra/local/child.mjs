import { spawn } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, renameSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './paths.mjs';
import { isStillRunning, readProcessIdentity } from './process-identity.mjs';

/**
 * Until a server or service that was started has to answer. One that ends is noticed at once, so this is for one that
 * hangs: a machine with many others on it takes minutes.
 */
export const READY_TIMEOUT_MS = 240_000;

/**
 * @typedef {object} Child
 * @property {string} name
 * @property {number} pid
 * @property {string} startTime
 * @property {string} logFile
 * @property {boolean} exited
 * @property {string} ending how it went, once it did: `exit 1`, `SIGKILL`
 * @property {Promise<void>} done
 * @property {(graceMs: number) => Promise<void>} stop asks, waits, then kills
 */

/** Linux ends the child with its parent; elsewhere `watchdog.mjs` has to. */
export const setprivPath = process.platform === 'linux' ? findProgram(['setpriv']) : null;

/**
 * Starts a child in a process group of its own, so that Ctrl-C reaches the launcher alone and the
 * order of stopping stays with it. Output goes to the log file.
 *
 * `parentDeathSignal` is what the system sends it should the launcher be killed. A database server gets
 * KILL, after which it recovers: a TERM that meets one while it starts can leave it hanging for good.
 *
 * @param {{name: string, command: string, args: string[], env?: NodeJS.ProcessEnv, cwd?: string, logFile: string, parentDeathSignal?: 'TERM' | 'KILL'}} options
 * @returns {Promise<Child>}
 */
export async function startChild(options) {
  mkdirSync(dirname(options.logFile), { recursive: true, mode: 0o700 });
  turnOver(options.logFile);
  const log = openSync(options.logFile, 'a', 0o600);
  const [command = '', ...args] = tieToParent(options.parentDeathSignal ?? 'TERM', [options.command, ...options.args]);
  const handle = spawn(command, args, { cwd: options.cwd, env: options.env ?? process.env, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  await new Promise((resolve, reject) => {
    handle.once('spawn', resolve);
    handle.once('error', reject);
  });
  const pid = /** @type {number} */ (handle.pid);
  const bounding = setInterval(() => boundLog(options.logFile), LOG_LOOK_INTERVAL_MS).unref();
  /** @type {Child} */
  const child = {
    name: options.name,
    pid,
    startTime: readProcessIdentity(pid)?.startTime ?? '',
    logFile: options.logFile,
    exited: false,
    ending: '',
    done: new Promise((resolve) => {
      handle.once('exit', (code, signal) => {
        clearInterval(bounding);
        child.exited = true;
        child.ending = signal ?? `exit ${code}`;
        resolve();
      });
    }),
    stop: (graceMs) => stopChild(child, graceMs),
  };
  return child;
}

/**
 * Should the launcher be gone before the tie is made, nothing would be sent any more: so the shell that
 * becomes the program looks once, behind the tie, whether its parent still is the launcher.
 *
 * @param {'TERM' | 'KILL'} signal
 * @param {string[]} command
 */
function tieToParent(signal, command) {
  if (setprivPath === null) return command;
  return [setprivPath, '--pdeathsig', signal, '--', '/bin/sh', '-c', '[ "$PPID" = "$0" ] || exit 1; exec "$@"', String(process.pid), ...command];
}

const LOG_BYTES_MAX = 32 << 20;
const LOG_LOOK_INTERVAL_MS = 10_000;

/** Keeps one older log beside a new one once it has grown large. @param {string} path */
function turnOver(path) {
  if (isLarge(path, LOG_BYTES_MAX)) renameSync(path, `${path}.1`);
}

/**
 * The same while a process writes: what is there goes aside, and the file begins anew. The process appends, so it goes
 * on at the beginning; lines of the moment between the two are lost.
 *
 * @param {string} path
 * @param {number} [bytesMax]
 */
export function boundLog(path, bytesMax = LOG_BYTES_MAX) {
  if (!isLarge(path, bytesMax)) return;
  try {
    copyFileSync(path, `${path}.1`);
  } catch {
    // A full disk takes no copy: all the more reason to let go.
  }
  try {
    truncateSync(path);
  } catch {
    // Gone meanwhile.
  }
}

/** @param {string} path @param {number} bytesMax */
function isLarge(path, bytesMax) {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > bytesMax;
}

/**
 * @param {Child} child
 * @param {number} graceMs
 */
async function stopChild(child, graceMs) {
  if (child.exited) return;
  sendSignal(child.pid, 'SIGTERM');
  await Promise.race([child.done, sleep(graceMs, undefined, { ref: false })]);
  if (!child.exited) {
    sendSignal(child.pid, 'SIGKILL');
    await child.done;
  }
}

/**
 * Ends processes that an earlier launcher left behind. Only those that still are what was recorded.
 * @param {readonly {pid: number, startTime: string}[]} recorded
 * @param {number} graceMs
 */
export async function stopLeftovers(recorded, graceMs) {
  const alive = () => recorded.filter((one) => isStillRunning(one));
  for (const one of alive()) sendSignal(one.pid, 'SIGTERM');
  const deadlineMs = Date.now() + graceMs;
  while (alive().length > 0 && Date.now() < deadlineMs) await sleep(50);
  for (const one of alive()) sendSignal(one.pid, 'SIGKILL');
  while (alive().length > 0) await sleep(20);
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}

/**
 * @param {string} path
 * @param {number} [linesMax]
 * @returns {string}
 */
export function readLogTail(path, linesMax = 20) {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-linesMax).join('\n');
  } catch {
    return '';
  }
}
