import { spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../paths.mjs';
import { isStillRunning, readProcessIdentity } from './process-identity.mjs';

/**
 * The maximum time until a started server or service responds. A process that ends is noticed at once, so
 * this limit only applies to one that hangs. On a busy machine, a start takes minutes.
 */
export const READY_TIMEOUT_MS = 240_000;

/**
 * @typedef {object} Child
 * @property {string} name
 * @property {number} pid
 * @property {string} startTime
 * @property {string} logFile
 * @property {boolean} exited
 * @property {string} ending how the process ended, such as `exit 1` or `SIGKILL`; empty while it runs
 * @property {Promise<void>} done
 * @property {(graceMs: number) => Promise<void>} stop sends SIGTERM, waits, then sends SIGKILL
 */

/**
 * The path of `setpriv`, which makes Linux end the child when its parent ends. On other systems,
 * `watchdog.mjs` does this.
 */
export const setprivPath = process.platform === 'linux' ? findProgram(['setpriv']) : null;

/**
 * Starts a child in a process group of its own. Ctrl-C then reaches only the launcher, which decides the
 * order of stopping. Output goes to the log file.
 *
 * When the launcher is killed, the system sends `parentDeathSignal` to the child. Database servers get KILL,
 * because TERM can make a starting server hang forever. A killed server recovers at its next start.
 * @param {{name: string, command: string, args: string[], env?: NodeJS.ProcessEnv, cwd?: string, logFile: string, parentDeathSignal?: 'TERM' | 'KILL'}} options
 * @returns {Promise<Child>}
 */
export async function startChild(options) {
  mkdirSync(dirname(options.logFile), { recursive: true, mode: 0o700 });
  rotateLog(options.logFile);
  const log = openSync(options.logFile, 'a', 0o600);
  const [command = '', ...args] = tieToParent(options.parentDeathSignal ?? 'TERM', [
    options.command,
    ...options.args,
  ]);
  const handle = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  await new Promise((resolve, reject) => {
    handle.once('spawn', resolve);
    handle.once('error', reject);
  });
  const pid = /** @type {number} */ (handle.pid);
  const bounding = setInterval(() => boundLog(options.logFile), LOG_CHECK_INTERVAL_MS).unref();
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
 * Returns a command that ends with the launcher. If the launcher ends before `setpriv` has asked for the
 * signal, no signal is sent. So the shell that becomes the program checks afterwards that its parent is still
 * the launcher.
 * @param {'TERM' | 'KILL'} signal
 * @param {string[]} command
 */
function tieToParent(signal, command) {
  if (setprivPath === null) return command;
  return [
    setprivPath,
    '--pdeathsig',
    signal,
    '--',
    '/bin/sh',
    '-c',
    '[ "$PPID" = "$0" ] || exit 1; exec "$@"',
    String(process.pid),
    ...command,
  ];
}

const LOG_BYTES_MAX = 32 << 20;
const LOG_CHECK_INTERVAL_MS = 10_000;

/**
 * Renames a large log before a new one begins, so that one older log is retained.
 * @param {string} path
 */
function rotateLog(path) {
  if (isLarge(path, LOG_BYTES_MAX)) renameSync(path, `${path}.1`);
}

/**
 * Limits the log of a running process: copies a large log to a second file, then truncates it. The process
 * opened the file for appending, so it continues at the start of the empty file. Lines written between the
 * two steps are lost.
 * @param {string} path
 * @param {number} [bytesMax]
 */
export function boundLog(path, bytesMax = LOG_BYTES_MAX) {
  if (!isLarge(path, bytesMax)) return;
  try {
    copyFileSync(path, `${path}.1`);
  } catch {
    // The copy fails on a full disk. The log is truncated anyway, which frees space.
  }
  try {
    truncateSync(path);
  } catch {
    // The file does not exist any more.
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
 * Ends processes that an earlier launcher left running. Skips a process id that belongs to another process
 * now.
 * @param {readonly {pid: number, startTime: string}[]} recorded
 * @param {number} graceMs
 */
export async function stopLeftovers(recorded, graceMs) {
  const alive = () => recorded.filter((item) => isStillRunning(item));
  for (const item of alive()) sendSignal(item.pid, 'SIGTERM');
  const deadlineMs = Date.now() + graceMs;
  while (alive().length > 0 && Date.now() < deadlineMs) await sleep(50);
  for (const item of alive()) sendSignal(item.pid, 'SIGKILL');
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
    // The process has ended already.
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
