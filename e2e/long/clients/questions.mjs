// @ts-check
/**
 * Runs the rules engine over databases created for a set of training schemas, and writes a report:
 * `QUESTIONS_DIR=<folder> pnpm test:long questions`. Without the folder, the suite fails with a message.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../../bench/questions/run.mjs', import.meta.url));
const child = spawn(
  process.execPath,
  ['--enable-source-maps', script, '--report', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
