// @ts-check
/**
 * `QUESTIONS_DIR=<folder> pnpm test:long questions`: the rules engine over databases made for a set of training schemas, with a report.
 * Without the folder there is nothing to ask, and the suite says so and fails.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../bench/questions/run.mjs', import.meta.url));
const child = spawn(process.execPath, ['--enable-source-maps', script, '--report', ...process.argv.slice(2)], { stdio: 'inherit' });
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
