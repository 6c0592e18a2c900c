import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLogTail } from './child.mjs';
import { rootDir } from './paths.mjs';
import { LauncherError } from './report.mjs';

/**
 * Runs one of the product's commands, its output into a log.
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {string} logFile
 * @param {string} failure
 * @throws {LauncherError} with `failure` and the log's last lines
 */
export async function runNode(args, env, logFile, failure) {
  const [entry = '', ...rest] = args;
  const { code, output } = await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', join(rootDir, entry), ...rest], { cwd: rootDir, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    child.once('error', reject);
    child.once('close', (status) => resolve({ code: status ?? 1, output: text }));
  });
  appendFileSync(logFile, output, { mode: 0o600 });
  if (code !== 0) throw new LauncherError(failure, { logTail: readLogTail(logFile) });
}
