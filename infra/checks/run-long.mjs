import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildChanged } from '../local/build.mjs';
import { createTerminalReport } from '../local/report.mjs';
import { root } from './vitest-base.mjs';

/** The members that every report must have, so that a reader can judge and reproduce it. */
const MEMBERS = ['suite', 'command', 'seed', 'commit', 'engines', 'skips', 'figures'];
/** Suites that need data or servers that not every machine has. `all` omits them where it is missing. */
const NEEDS = { questions: 'QUESTIONS_DIR', dumps: 'DUMPS_DIR' };

const folder = join(root, 'e2e', 'long');
/** The suites by name. A suite is a file of a folder of `e2e/long`; `lib` has what suites share. */
const suites = new Map(
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'lib')
    .flatMap(({ name }) =>
      readdirSync(join(folder, name))
        .filter((file) => file.endsWith('.mjs'))
        .map((file) => /** @type {const} */ ([file.slice(0, -4), join(folder, name, file)])),
    )
    .sort(([item], [other]) => (item < other ? -1 : 1)),
);

/**
 * `pnpm test:long <suite> [arguments]` runs one of the long suites, and `pnpm test:long all` runs the nightly
 * tests and then every suite.
 */
async function main() {
  const [name, ...rest] = process.argv.slice(2).filter((arg) => arg !== '--');
  if (name === undefined || (name !== 'all' && !suites.has(name))) {
    console.error(
      `${name === undefined ? 'Name a suite' : `Unknown suite ${name}`}: all, ${[...suites.keys()].join(', ')}`,
    );
    process.exitCode = 2;
    return;
  }
  await buildChanged(createTerminalReport());
  const outcomes = [];
  for (const suite of name === 'all' ? listAll() : [name]) outcomes.push(await runSuite(suite, rest));
  for (const { line } of outcomes) console.log(line);
  process.exitCode = outcomes.every(({ isPassed }) => isPassed) ? 0 : 1;
}

/** Lists every suite whose needs are met, the nightly tests first. */
function listAll() {
  const missing = Object.entries(NEEDS).filter(([, variable]) => !process.env[variable]);
  for (const [suite, variable] of missing) console.log(`Skipped: ${suite}, because ${variable} is not set`);
  const omitted = missing.map(([suite]) => suite);
  return [
    'nightly',
    ...[...suites.keys()].filter((suite) => suite !== 'nightly' && !omitted.includes(suite)),
  ];
}

/** @param {string} suite @param {readonly string[]} args */
async function runSuite(suite, args) {
  const startedMs = Date.now();
  const code = await new Promise((resolve) => {
    const child = spawn(process.execPath, ['--enable-source-maps', suites.get(suite) ?? '', ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', () => resolve(127));
    child.once('close', (status) => resolve(status ?? 1));
  });
  const faults = checkReport(join(root, 'reports', `${suite}.json`), startedMs);
  for (const fault of faults) console.error(fault);
  const isPassed = code === 0 && faults.length === 0;
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(0);
  return { isPassed, line: `${suite}: ${isPassed ? 'passed' : 'failed'} in ${seconds} s` };
}

/** @param {string} path @param {number} sinceMs */
function checkReport(path, sinceMs) {
  if (!existsSync(path) || statSync(path).mtimeMs < sinceMs) return [`${path} was not written`];
  const report = JSON.parse(readFileSync(path, 'utf8'));
  return MEMBERS.filter((member) => !(member in report)).map((member) => `${path} has no ${member}`);
}

await main();
