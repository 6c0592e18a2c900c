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
import { isWorthAgain, readVitest, takeSlowest, UNSTEADY_MAX } from './read-vitest.mjs';
import { root } from './vitest-base.mjs';

/**
 * `pnpm test` runs every suite that a change must pass, one after another. It ends with a line that counts
 * the passed, failed and skipped tests. `pnpm test unit int` runs only those suites.
 *
 * @typedef {{passed: number, failed: number, skipped: number}} Tally
 * @typedef {{name: string, seconds: number, tally: Tally, notes: string[]}} Outcome
 */

const TIME_MAX_MS = 25 * 60_000;
/**
 * If types, lint, unit and planted tests take longer than this, all suites would exceed the limit. On a
 * machine that needs 190 s for them, all suites took 1,500 s.
 */
const SWIFT_MS_MAX = 175_000;
/**
 * Left out on slow machines, and counted as skipped. They test each kill and each type, and the journeys
 * cover some of these on every machine.
 */
const MATRICES = ['rebuild-resume', 'move-resume', 'resume', 'every-type'].map(
  (name) => `**/${name}.int.test.ts`,
);
/**
 * Also left out there: the longest tests whose subject the journeys of schema changes, transfers and console
 * pages cover.
 */
const LONGEST = ['keep', 'rebuild', 'transfer', 'change-details', 'move'].map(
  (name) => `**/${name}.int.test.ts`,
);
const LONGEST_JOURNEYS = ['**/console-screens.e2e.ts'];
/**
 * If the journeys start later than this, they would not end in time. On such a machine they took 705 s after
 * 785 s of other suites.
 */
const LATE_MS = 600_000;
/**
 * Also left out there: the longest journeys of the console and the CLI, whose main tasks other journeys
 * cover.
 */
const LATE_JOURNEYS = ['console-data', 'console-schema', 'cli'].map((name) => `**/${name}.e2e.ts`);
/** The time at the end for running journeys, and for those that must run alone. No journey starts later. */
const END_MS = 210_000;
const startedMs = Date.now();
const report = createTerminalReport();
/** @type {import('./read-vitest.mjs').Failure[]} */
const unsteady = [];
/** @type {import('./read-vitest.mjs').Timed[]} */
const timed = [];
/** The duration of the finished suites, except for the build, which may have downloaded something. */
let spentMs = 0;
/** The duration of the suites before those with database engines, as a measure of this machine's speed. */
let swiftMs = 0;
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
  swiftMs = spentMs;
  const left = swiftMs > SWIFT_MS_MAX ? [...MATRICES, ...LONGEST] : [];
  return omit(left, 'int', (patterns) => runOnEngines(patterns.flatMap((pattern) => ['--exclude', pattern])));
}

/**
 * Runs a suite without some of its files, which are reported and counted as skipped.
 * @param {readonly string[]} left patterns of the files to leave out
 * @param {string} suite
 * @param {(left: readonly string[]) => Promise<{tally: Tally, notes: string[]}>} run
 */
async function omit(left, suite, run) {
  const { tally, notes } = await run(left);
  if (left.length === 0) return { tally, notes };
  const note = `SKIPPED: ${left.join(', ')}, since this machine is slow (${Math.round(swiftMs / 1_000)} s for types, lint, unit and planted, of ${SWIFT_MS_MAX / 1_000}); \`pnpm test ${suite}\` runs them`;
  return { tally: { ...tally, skipped: tally.skipped + left.length }, notes: [...notes, note] };
}

/** @param {string[]} extraArgs */
async function runOnEngines(extraArgs) {
  if (process.env['TEST_ENGINE'] !== undefined) return runVitest('int', {}, extraArgs);
  try {
    await findMysql(report);
    return await runVitest('int', { TEST_ENGINE: 'both' }, extraArgs);
  } catch (err) {
    const note = `SKIPPED: MySQL 9 is not to be had here (${/** @type {Error} */ (err).message}); integration ran on MariaDB only`;
    const { tally, notes } = await runVitest('int', { TEST_ENGINE: 'mariadb' }, extraArgs);
    return { tally: { ...tally, skipped: tally.skipped + 1 }, notes: [...notes, note] };
  }
}

/** The programs that a journey needs, and the journeys that cannot run without them. */
const JOURNEY_NEEDS = [
  { name: 'Chromium', provide: provideChromium, without: '**/console*.e2e.ts' },
  { name: 'curl', provide: provideCurl, without: '**/readme*.e2e.ts' },
];

async function runEndToEnd() {
  const [folders, left, notes] = [
    [process.env['PATH'] ?? ''],
    /** @type {string[]} */ ([]),
    /** @type {string[]} */ ([]),
  ];
  for (const { name, provide, without } of JOURNEY_NEEDS) {
    try {
      folders.unshift(...(await provide(report)));
    } catch (err) {
      left.push(without);
      notes.push(`SKIPPED: no ${name} (${/** @type {Error} */ (err).message}); ${without} did not run`);
    }
  }
  const isLate = Date.now() - startedMs > LATE_MS;
  const slow = swiftMs > SWIFT_MS_MAX ? [...LONGEST_JOURNEYS, ...(isLate ? LATE_JOURNEYS : [])] : [];
  const env = { PATH: folders.join(delimiter), E2E_LATEST_MS: String(startedMs + TIME_MAX_MS - END_MS) };
  const outcome = await omit(slow, 'e2e', (patterns) =>
    runVitest('e2e', { ...env, E2E_LEAVE_OUT: [...left, ...patterns].join(',') }),
  );
  return {
    tally: { ...outcome.tally, skipped: outcome.tally.skipped + notes.length },
    notes: [...outcome.notes, ...notes],
  };
}

/** @type {readonly {name: string, run: () => Promise<{tally: Tally, notes: string[]}>}[]} */
const SUITES = [
  { name: 'build', run: runBuild },
  { name: 'types', run: runTypes },
  { name: 'lint', run: runLint },
  { name: 'unit', run: () => runVitest('unit', {}) },
  { name: 'planted', run: () => runVitest('planted', {}) },
  { name: 'int', run: runIntegration },
  { name: 'launcher', run: () => runVitest('launcher', {}) },
  { name: 'e2e', run: runEndToEnd },
];

/**
 * Runs the files of a few failures again. Tests that pass then are unsteady. They are reported with their
 * first failure, and too many of them fail the run.
 * @param {string} name
 * @param {Record<string, string>} env
 * @param {string[]} [extraArgs]
 * @returns {Promise<{tally: Tally, notes: string[]}>}
 */
async function runVitest(name, env, extraArgs = []) {
  const first = await runVitestOnce(name, name, env, extraArgs);
  if (first === null || !isWorthAgain(first)) return tell(first);
  console.log(`\n=== ${name}, once more: ${first.files.join(', ')}`);
  const second = await runVitestOnce(
    name,
    `${name}-again`,
    { ...env, E2E_LATEST_MS: String(startedMs + TIME_MAX_MS) },
    [...extraArgs, ...first.files],
  );
  if (
    second === null ||
    second.failed > 0 ||
    second.late.length > 0 ||
    unsteady.push(...first.failures) > UNSTEADY_MAX
  )
    return tell(first);
  return {
    tally: { passed: first.passed + first.failed, failed: 0, skipped: first.skipped },
    notes: [
      ...first.failures.map((failure) => `UNSTEADY: ${failure.name}: ${failure.message}`),
      ...reportLate(first),
    ],
  };
}

/**
 * @param {import('./read-vitest.mjs').VitestResult | null} result
 * @returns {{tally: Tally, notes: string[]}}
 */
function tell(result) {
  if (result === null) return { tally: item(false), notes: ['did not run'] };
  const { passed, failed, skipped, failures } = result;
  return {
    tally: { passed, failed, skipped },
    notes: [
      ...failures.map((failure) => `FAILED: ${failure.name}: ${failure.message}`),
      ...reportLate(result),
    ],
  };
}

/** @param {import('./read-vitest.mjs').VitestResult} result */
const reportLate = ({ late }) =>
  late.length === 0 ? [] : [`SKIPPED: ${late.join(', ')}, since the time was nearly up`];

/**
 * @param {string} name
 * @param {string} run
 * @param {Record<string, string>} env
 * @param {string[]} extraArgs
 * @returns {Promise<import('./read-vitest.mjs').VitestResult | null>} null if it wrote no report
 */
async function runVitestOnce(name, run, env, extraArgs) {
  const output = join(scratch, `${run}.json`);
  const unhandledFile = join(scratch, `${run}.unhandled.json`);
  const reporters = ['default', 'json', './infra/checks/tell-unhandled.mjs'].flatMap((reporter) => [
    '--reporter',
    reporter,
  ]);
  const args = [
    'run',
    '--config',
    `infra/checks/vitest.${name}.config.mjs`,
    ...reporters,
    `--outputFile.json=${output}`,
    ...extraArgs,
  ];
  const code = await runCommand(join(root, 'node_modules', '.bin', 'vitest'), args, {
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
    if (suite.name !== 'build') spentMs += Date.now() - fromMs;
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
  console.log(
    `${format(sum)}${unsteady.length > 0 ? `, ${unsteady.length} of them unsteady: to be looked into before anything else` : ''}`,
  );
}

await main();
