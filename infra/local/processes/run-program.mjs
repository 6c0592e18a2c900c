import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLogTail } from './child.mjs';
import { rootDir } from '../paths.mjs';
import { LauncherError } from '../report.mjs';

/**
 * Runs a program without input, and waits until it ends.
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv}} [options]
 * @returns {Promise<{code: number, output: string}>} `code` is 1 when a signal ended the program; `output`
 *   holds both streams in order of arrival
 * @throws {Error} when it cannot be started
 */
export function runProgram(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

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
