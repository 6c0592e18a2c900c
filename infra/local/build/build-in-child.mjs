import { fork } from 'node:child_process';
import { join } from 'node:path';
import { rootDir } from '../paths.mjs';
import { LauncherError } from '../report.mjs';

/**
 * One line of progress, or the reason why the build failed. `build.mjs` sends them to the process that
 * started it.
 * @typedef {{kind: 'step' | 'note' | 'warn', text: string}
 *   | {kind: 'failure', message: string, logTail: string | undefined}} BuildMessage
 */

/**
 * Builds in a child process. The bundler allocates 800 MB, which the launcher must not hold for days.
 * @param {import('../report.mjs').Report} report
 * @returns {Promise<void>}
 * @throws {LauncherError} with the output of the compiler
 */
export function buildInChild(report) {
  return new Promise((resolve, reject) => {
    const child = fork(join(rootDir, 'infra', 'local', 'build.mjs'), [], { execArgv: [] });
    /** @type {LauncherError | undefined} */
    let failure;
    child.on('message', (/** @type {BuildMessage} */ message) => {
      if (message.kind === 'failure')
        failure = new LauncherError(message.message, { logTail: message.logTail });
      else report[message.kind](message.text);
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(failure ?? new LauncherError(`The build ended with ${signal ?? `exit code ${code}`}.`));
    });
  });
}
