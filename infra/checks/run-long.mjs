import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildChanged } from '../local/build.mjs';
import { createTerminalReport } from '../local/report.mjs';
import { root } from './vitest-base.mjs';

/**
 * `pnpm test:long <suite> [arguments]` runs one of the long suites. The suite must leave a report with
 * everything needed to judge and reproduce it.
 */
const MEMBERS = ['suite', 'command', 'seed', 'commit', 'engines', 'skips', 'figures'];

const folder = join(root, 'e2e', 'long');
const suites = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => name.slice(0, -4))
  : [];
const [suite, ...rest] = process.argv.slice(2).filter((arg) => arg !== '--');

if (suite === undefined || !suites.includes(suite)) {
  console.error(`Which one? There are: ${suites.join(', ')}`);
  process.exit(2);
}

/** @param {string} path @param {number} sinceMs */
function checkReport(path, sinceMs) {
  if (!existsSync(path) || statSync(path).mtimeMs < sinceMs) return [`${path} was not written`];
  const report = JSON.parse(readFileSync(path, 'utf8'));
  return MEMBERS.filter((member) => !(member in report)).map(
    (member) => `${path} does not tell its ${member}`,
  );
}

await buildChanged(createTerminalReport());
const startedMs = Date.now();
const code = await new Promise((resolve) => {
  const child = spawn(process.execPath, ['--enable-source-maps', join(folder, `${suite}.mjs`), ...rest], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.once('error', () => resolve(127));
  child.once('close', (status) => resolve(status ?? 1));
});
const faults = checkReport(join(root, 'docs', 'reports', `${suite}.json`), startedMs);
for (const fault of faults) console.error(fault);
console.log(
  `${suite}: ${code === 0 && faults.length === 0 ? 'passed' : 'failed'} in ${((Date.now() - startedMs) / 1000).toFixed(0)} s`,
);
process.exitCode = code === 0 && faults.length === 0 ? 0 : 1;
