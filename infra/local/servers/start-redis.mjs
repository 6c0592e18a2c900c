import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { READY_TIMEOUT_MS, readLogTail, startChild } from '../processes/child.mjs';
import { sendRedisCommand } from './redis-command.mjs';
import { LauncherError } from '../report.mjs';

/**
 * @typedef {object} RunningRedis
 * @property {string} url
 * @property {import('../processes/child.mjs').Child} child
 * @property {(graceMs?: number) => Promise<void>} stop
 */

/** Configuration lines: Redis evicts nothing and appends each write to a file. */
const KEEPING_LINES = ['appendonly yes', 'appendfsync everysec', 'save ""', 'maxmemory-policy noeviction'];

/**
 * Runs a private Redis on loopback. It evicts nothing: cached values expire on their own, and queues must not
 * be deleted. It appends each write to a file. The password is in a file, so that the process list does not
 * show it.
 * @param {{program: import('./find-servers.mjs').ServerProgram, homeDir: string, logFile: string, port: number, password: string, lines?: readonly string[], isSentinel?: boolean, onSpawn?: (child: import('../processes/child.mjs').Child) => void}} options
 *   `lines` are appended to the configuration; `isSentinel` starts a Sentinel, which holds no data
 * @returns {Promise<RunningRedis>}
 * @throws {LauncherError} with the log's last lines when Redis does not come up
 */
export async function startRedis(options) {
  const dataDir = join(options.homeDir, 'data');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const configFile = join(options.homeDir, 'redis.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${options.port}`,
    `requirepass ${options.password}`,
    `dir "${dataDir}"`,
    'daemonize no',
    ...(options.isSentinel === true ? [] : KEEPING_LINES),
    ...(options.lines ?? []),
  ];
  writeFileSync(configFile, `${lines.join('\n')}\n`, { mode: 0o600 });
  const child = await startChild({
    name: 'redis',
    command: options.program.command,
    args: [
      ...options.program.leadingArgs,
      configFile,
      ...(options.isSentinel === true ? ['--sentinel'] : []),
    ],
    env: { ...process.env, ...options.program.env },
    logFile: options.logFile,
    parentDeathSignal: 'KILL',
  });
  options.onSpawn?.(child);
  const url = `redis://:${options.password}@127.0.0.1:${options.port}`;
  try {
    await waitUntilReady(child, url);
  } catch (err) {
    await child.stop(1_000);
    throw err;
  }
  return { url, child, stop: (graceMs = 2_000) => child.stop(graceMs) };
}

/**
 * @param {import('../processes/child.mjs').Child} child
 * @param {string} url
 */
async function waitUntilReady(child, url) {
  const deadlineMs = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (child.exited)
      throw new LauncherError(`Redis did not start (${child.ending}).`, {
        logTail: readLogTail(child.logFile),
      });
    try {
      if ((await sendRedisCommand(url, ['PING'])) === 'PONG') return;
    } catch (err) {
      if (Date.now() > deadlineMs)
        throw new LauncherError(
          `Redis did not respond within ${READY_TIMEOUT_MS / 1_000} s: ${/** @type {Error} */ (err).message}`,
          { logTail: readLogTail(child.logFile) },
        );
    }
    await sleep(25);
  }
}
