import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildChanged } from '../local/build.mjs';
import { findMysql } from '../local/servers/find-servers.mjs';
import { provideChromium } from '../test-servers/provide-programs.mjs';
import { provideCurl } from '../test-servers/provide-programs.mjs';
import { createTerminalReport } from '../local/report.mjs';
import { lint } from './lint.mjs';
import { readVitest, takeSlowest } from './runner/read-vitest.mjs';
import { root } from './vitest-base.mjs';

/**
 * `pnpm test` runs every suite that a change must pass, one after another. It ends with a line that counts
 * the passed, failed and skipped tests. `pnpm test unit int` runs only those suites. The slow files of
 * `nightly.mjs` run with `pnpm test:long nightly`.
 *
 * @typedef {{passed: number, failed: number, skipped: number}} Tally
 * @typedef {{name: string, seconds: number, tally: Tally, notes: string[]}} Outcome
 */

/** The maximum time of a run. A longer run is stopped and fails. */
const TIME_MAX_MS = 25 * 60_000;
const startedMs = Date.now();
const report = createTerminalReport();
/** @type {import('./runner/read-vitest.mjs').Timed[]} */
const timed = [];
const scratch = mkdtempSync(join(tmpdir(), 'rowhouse-suites-'));

/** @param {boolean} isPassed @returns {Tally} */
const item = (isPassed) => ({ passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0 });

async function runBuild() {
  try {
    await buildChanged(report);
    return { tally: item(true), notes: [] };
  } catch (err) {
    const { message, logTail } = /** @type {import('../local/report.mjs').LauncherError} */ (err);
    console.error(message, logTail ?? '');
    return { tally: item(false), notes: [message] };
  }
}

/** Checks the sources that the build does not check: the journeys, the benchmark and the console. */
async function runTypes() {
  const parts = [
    'e2e',
    'bench',
    'apps/console',
    'examples/tanstack-query',
    'infra/checks/tsconfig.tests.json',
  ];
  const codes = [];
  for (const folder of parts)
    codes.push(await runCommand(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder, '--noEmit'], {}));
  return {
    tally: add(codes.map((code) => item(code === 0))),
    notes: parts.filter((_, index) => codes[index] !== 0),
  };
}

async function runLint() {
  const findings = await lint(root);
  for (const line of Object.values(findings).flat()) console.log(`  ${line}`);
  return {
    tally: add(Object.values(findings).map((lines) => item(lines.length === 0))),
    notes: Object.entries(findings)
      .filter(([, lines]) => lines.length > 0)
      .map(([part, lines]) => `${part}: ${lines.length} findings`),
  };
}

async function runIntegration() {
  if (process.env['TEST_ENGINE'] !== undefined) return runVitest('int', {});
  try {
    await findMysql(report);
    return await runVitest('int', { TEST_ENGINE: 'both' });
  } catch (err) {
    const note = `SKIPPED: MySQL 9 is not available here (${/** @type {Error} */ (err).message}). The tests ran on MariaDB only.`;
    const { tally, notes } = await runVitest('int', { TEST_ENGINE: 'mariadb' });
    return { tally: { ...tally, skipped: tally.skipped + 1 }, notes: [...notes, note] };
  }
}

/** The programs that a journey needs, and the journeys that cannot run without them. */
const JOURNEY_NEEDS = [
  { name: 'Chromium', provide: provideChromium, without: '**/console*.e2e.ts' },
  { name: 'curl', provide: provideCurl, without: '**/readme*.e2e.ts' },
];

async function runEndToEnd() {
  const folders = [process.env['PATH'] ?? ''];
  /** @type {string[]} */
  const omitted = [];
  /** @type {string[]} */
  const skips = [];
  for (const { name, provide, without } of JOURNEY_NEEDS) {
    try {
      folders.unshift(...(await provide(report)));
    } catch (err) {
      omitted.push(without);
      skips.push(`SKIPPED: no ${name} (${/** @type {Error} */ (err).message}). ${without} did not run.`);
    }
  }
  const { tally, notes } = await runVitest('e2e', {
    PATH: folders.join(delimiter),
    E2E_OMIT: omitted.join(','),
  });
  return { tally: { ...tally, skipped: tally.skipped + skips.length }, notes: [...notes, ...skips] };
}

/** @type {readonly {name: string, run: () => Promise<{tally: Tally, notes: string[]}>}[]} */
const SUITES = [
  { name: 'build', run: runBuild },
  { name: 'types', run: runTypes },
  { name: 'lint', run: runLint },
  { name: 'unit', run: () => runVitest('unit', {}) },
  { name: 'int', run: runIntegration },
  { name: 'launcher', run: () => runVitest('launcher', {}) },
  { name: 'e2e', run: runEndToEnd },
];

/**
 * Runs a suite once. A failed test is never run again, because a test that passes the second time has
 * revealed a race.
 * @param {string} name
 * @param {Record<string, string>} env
 * @returns {Promise<{tally: Tally, notes: string[]}>}
 */
async function runVitest(name, env) {
  const result = await readRun(name, env);
  if (result === null) return { tally: item(false), notes: ['wrote no report'] };
  const { passed, failed, skipped, failures } = result;
  return {
    tally: { passed, failed, skipped },
    notes: failures.map((failure) => `FAILED: ${failure.name}: ${failure.message}`),
  };
}

/**
 * @param {string} name
 * @param {Record<string, string>} env
 * @returns {Promise<import('./runner/read-vitest.mjs').VitestResult | null>} null if it wrote no report
 */
async function readRun(name, env) {
  const output = join(scratch, `${name}.json`);
  const unhandledFile = join(scratch, `${name}.unhandled.json`);
  const reporters = ['default', 'json', './infra/checks/runner/unhandled-reporter.mjs'].flatMap(
    (reporter) => ['--reporter', reporter],
  );
  const args = [
    'run',
    '--config',
    `infra/checks/vitest.${name}.config.mjs`,
    ...reporters,
    `--outputFile.json=${output}`,
  ];
  const code = await runCommand(join(root, 'node_modules', '.bin', 'vitest'), args, {
    TEST_SET: 'ci',
    ...env,
    UNHANDLED_FILE: unhandledFile,
  });
  if (!existsSync(output)) return null;
  const unhandled = existsSync(unhandledFile) ? JSON.parse(readFileSync(unhandledFile, 'utf8')) : [];
  const result = readVitest(JSON.parse(readFileSync(output, 'utf8')), code, unhandled);
  timed.push(...result.slowest);
  return result;
}

/**
 * Runs a command in this terminal. Kills its whole process group when the total time is up.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number>}
 */
function runCommand(command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const timer = setTimeout(
      () => child.kill('SIGTERM'),
      Math.max(1_000, TIME_MAX_MS - (Date.now() - startedMs)),
    );
    child.once('error', (err) => {
      console.error(err.message);
      resolve(127);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}

/** @param {readonly Tally[]} tallies @returns {Tally} */
function add(tallies) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const tally of tallies) {
    sum.passed += tally.passed;
    sum.failed += tally.failed;
    sum.skipped += tally.skipped;
  }
  return sum;
}

/** @param {Tally} tally */
const format = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

async function main() {
  const requests = process.argv.slice(2).filter((arg) => arg !== '--');
  const unknown = requests.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0)
    throw new Error(
      `No suite ${unknown.join(', ')}; there are ${SUITES.map((suite) => suite.name).join(', ')}`,
    );
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const suite of SUITES.filter(
    ({ name }) => requests.length === 0 || requests.includes(name) || name === 'build',
  )) {
    console.log(`\n=== ${suite.name}`);
    const fromMs = Date.now();
    const { tally, notes } = await suite.run();
    outcomes.push({ name: suite.name, seconds: (Date.now() - fromMs) / 1000, tally, notes });
    // After a failed build, everything else would fail for the same reason.
    if (suite.name === 'build' && tally.failed > 0) break;
  }
  rmSync(scratch, { recursive: true, force: true });
  const totalMs = Date.now() - startedMs;
  const isLate = totalMs > TIME_MAX_MS;
  console.log('');
  for (const { name, seconds, tally, notes } of outcomes) {
    console.log(`${name.padEnd(10)}${seconds.toFixed(1).padStart(8)} s  ${format(tally)}`);
    for (const note of notes) console.log(`          ${note}`);
  }
  console.log(
    `${'total'.padEnd(10)}${(totalMs / 1000).toFixed(1).padStart(8)} s${isLate ? `  over the limit of ${TIME_MAX_MS / 60_000} minutes` : ''}`,
  );
  const slowest = takeSlowest(timed);
  if (slowest.length > 0)
    console.log(
      `Slowest files: ${slowest.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(', ')}`,
    );
  const sum = add([
    ...outcomes.map((outcome) => outcome.tally),
    { passed: 0, failed: isLate ? 1 : 0, skipped: 0 },
  ]);
  process.exitCode = sum.failed === 0 ? 0 : 1;
  console.log(format(sum));
}

await main();
