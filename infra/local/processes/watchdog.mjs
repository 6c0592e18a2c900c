import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stopLeftovers } from './child.mjs';
import { readJsonFile } from '../data-folder/json-file.mjs';
import { isStillRunning, readProcessIdentity } from './process-identity.mjs';

/**
 * Starts a small process that outlives the launcher, ends the recorded processes and exits. It is used where
 * the system does not end children with their parent.
 * @param {string} recordFile
 */
export function startWatchdog(recordFile) {
  const self = readProcessIdentity(process.pid);
  if (self === null) return;
  const watchdog = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), String(self.pid), self.startTime, recordFile],
    { detached: true, stdio: 'ignore' },
  );
  watchdog.unref();
}

/**
 * @param {{pid: number, startTime: string}} launcher
 * @param {string} recordFile
 */
async function watch(launcher, recordFile) {
  while (isStillRunning(launcher)) await sleep(500);
  await stopLeftovers(readJsonFile(recordFile) ?? [], 5_000);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [pid = '0', startTime = '', recordFile = ''] = process.argv.slice(2);
  await watch({ pid: Number(pid), startTime }, recordFile);
}
