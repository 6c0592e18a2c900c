// @ts-check
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { STAGES } from './stages.mjs';

/**
 * CPU time is divided by that of a reference workload measured at the same time, and the budgets leave a
 * margin for a busy machine. No wall-clock time is asserted.
 */
it('the synchronous stages of a gateway request stay within their time budgets', async () => {
  const script = fileURLToPath(new URL('run.mjs', import.meta.url));
  const { code, output } = await new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', script, '--check'],
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
  expect(output.split('\n').filter((/** @type {string} */ line) => line.endsWith('OVER'))).toEqual([]);
  expect([code, output.split('\n').length]).toEqual([0, STAGES.length + 1]);
}, 300_000);
