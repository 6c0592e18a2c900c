import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLogTail } from './child.mjs';
import { rootDir } from './paths.mjs';
import { LauncherError } from './report.mjs';
import { runProgram } from './run-program.mjs';

/**
 * Runs a command of the product and writes its output to a log.
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {string} logFile
 * @param {string} failure
 * @throws {LauncherError} with `failure` and the log's last lines
 */
export async function runNode(args, env, logFile, failure) {
  const [entry = '', ...rest] = args;
  const { code, output } = await runProgram(
    process.execPath,
    ['--enable-source-maps', join(rootDir, entry), ...rest],
    { cwd: rootDir, env },
  );
  appendFileSync(logFile, output, { mode: 0o600 });
  if (code !== 0) throw new LauncherError(failure, { logTail: readLogTail(logFile) });
}
