// @ts-check
/**
 * Runs the two commands of the README on a bare machine, and measures the time to the first response, cold
 * and warm.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { send } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import {
  listBareProcesses,
  makeBareRoot,
  readBareFile,
  readBareMariadb,
  removeBareRoot,
  runInBareRoot,
} from './parts/bare-debian.mjs';
import { runSuite } from '../lib/run-suite.mjs';

/** The command that README.md gives for the downloaded folder. */
const COMMAND = 'npx -y pnpm@12 start';
const TEST_COMMAND = 'npx -y pnpm@12 test';
const NO_SUMMARY = 'no summary';
const [COLD_BAR_MS, WARM_BAR_MS, STOP_BAR_MS] = [90_000, 10_000, 10_000];

await runSuite(async () => {
  const root = makeBareRoot();
  try {
    return await measure(root);
  } finally {
    removeBareRoot(root);
  }
});

/**
 * @param {import('./parts/bare-debian.mjs').BareRoot} root
 * @returns {Promise<import('../../support/write-report.mjs').Report>}
 */
async function measure(root) {
  console.log(`Bare root ${root.path} with Node ${root.node}, npm ${root.npm}`);
  const cold = await startAndStop(root);
  const warm = await startAndStop(root);
  const killed = await startAndKill(root);
  const tested = await runTests(root);
  return {
    suite: 'bare-root',
    title: 'Installing and starting Rowhouse on a minimal Debian',
    command: 'pnpm test:long bare-root (as root)',
    seed: null,
    engines: { mariadb: cold.mariadb },
    skips: tested.skips,
    claims: [
      {
        claim: 'a cold start responds within 90 s',
        holds: cold.answerMs <= COLD_BAR_MS,
        found: seconds(cold.answerMs),
      },
      {
        claim: 'a warm start responds within 10 s',
        holds: warm.answerMs <= WARM_BAR_MS,
        found: seconds(warm.answerMs),
      },
      {
        claim: 'SIGTERM stops everything within 10 s',
        holds: Math.max(cold.stopMs, warm.stopMs) <= STOP_BAR_MS,
        found: `${seconds(cold.stopMs)}, ${seconds(warm.stopMs)}`,
      },
      {
        claim: 'no process keeps running',
        holds: cold.leftovers + warm.leftovers + killed.leftovers === 0,
        found: `${cold.leftovers}, ${warm.leftovers}, and ${killed.leftovers} after kill -9 of the launcher`,
      },
      {
        claim: 'the start after kill -9 of the launcher works',
        holds: killed.nextAnswered,
        found: killed.nextAnswered ? 'yes' : 'no',
      },
      {
        claim: 'the test command passes',
        holds: tested.exitCode === 0 && tested.summary !== NO_SUMMARY,
        found: `${tested.summary} in ${seconds(tested.tookMs)}`,
      },
      {
        claim: 'rows survive a restart',
        holds: warm.rows === cold.rows && cold.rows > 0,
        found: `${cold.rows} and ${warm.rows} posts`,
      },
    ],
    notes: [
      `A minimal Debian (debootstrap, variant minbase) with Node ${root.node} and npm ${root.npm}; an ordinary user runs \`${COMMAND}\`, and finally \`${TEST_COMMAND}\`. A cold start has no cache of any kind. The time runs from the command to the first 200 of the demo project's posts.`,
    ],
    figures: { cold, warm, killed, tested },
  };
}

/** @param {import('./parts/bare-debian.mjs').BareRoot} root */
async function startAndStop(root) {
  const started = await start(root);
  const stopMs = await stopLauncher(root, 'SIGTERM', started.child);
  return {
    answerMs: started.answerMs,
    rows: started.rows,
    mariadb: started.mariadb,
    stopMs,
    leftovers: listBareProcesses(root).length,
    lines: started.lines,
  };
}

/** @param {import('./parts/bare-debian.mjs').BareRoot} root */
async function startAndKill(root) {
  const { child } = await start(root);
  await stopLauncher(root, 'SIGKILL', child);
  const leftovers = await waitFor(
    'the children of a killed launcher end',
    async () => listBareProcesses(root).length === 0,
    { timeoutMs: 15_000 },
  ).then(
    () => 0,
    () => listBareProcesses(root).length,
  );
  const again = await start(root);
  await stopLauncher(root, 'SIGTERM', again.child);
  return { leftovers, nextAnswered: again.rows > 0, answerMs: again.answerMs };
}

/** @param {import('./parts/bare-debian.mjs').BareRoot} root */
async function start(root) {
  const startedMs = performance.now();
  const child = runInBareRoot(root, COMMAND);
  /** @type {string[]} */
  const lines = [];
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  let hasEnded = false;
  void once(child, 'exit').then(() => {
    hasEnded = true;
  });
  const response = await waitFor(
    'the first answer',
    async () => {
      if (hasEnded) throw new Error(`the start ended:\n${lines.slice(-30).join('\n')}`);
      const run = lines.some((line) => line.includes('Data API')) ? readBareFile(root, 'run.json') : null;
      if (!run?.demo) return undefined;
      const headers = { Authorization: `Bearer ${run.demo.api_key}` };
      const found = await send(run.gateway_url, 'GET', '/v1/-/posts', { headers }).catch(() => undefined);
      return found?.status === 200 ? found : undefined;
    },
    { timeoutMs: 300_000, intervalMs: 50 },
  );
  const answerMs = Math.round(performance.now() - startedMs);
  return {
    child,
    answerMs,
    rows: response.json.length,
    mariadb: readBareMariadb(root),
    lines: lines.filter((line) => / s {2}\S/.test(line)),
  };
}

/**
 * @param {import('./parts/bare-debian.mjs').BareRoot} root
 * @param {'SIGTERM' | 'SIGKILL'} signal
 * @param {import('node:child_process').ChildProcess} child
 */
async function stopLauncher(root, signal, child) {
  const pid = readBareFile(root, 'launcher.lock')?.pid;
  if (typeof pid !== 'number' || !listBareProcesses(root).includes(pid))
    throw new Error('the launcher of the bare root was not found');
  const startedMs = performance.now();
  const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
  process.kill(pid, signal);
  await ended;
  return Math.round(performance.now() - startedMs);
}

/** @param {import('./parts/bare-debian.mjs').BareRoot} root */
async function runTests(root) {
  const startedMs = performance.now();
  const child = runInBareRoot(root, TEST_COMMAND);
  /** @type {string[]} */
  const lines = [];
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      console.log(line);
    });
  }
  await once(child, 'close');
  const summary =
    lines.findLast((line) => /^\d+ passed, \d+ failed, \d+ skipped(, |$)/.test(line)) ?? NO_SUMMARY;
  const skips = lines.filter((line) => line.includes('SKIPPED:')).map((line) => line.trim());
  return {
    exitCode: child.exitCode,
    summary,
    skips,
    tookMs: Math.round(performance.now() - startedMs),
    suites: lines.filter((line) => /^\w+ +\d+\.\d s /.test(line)),
  };
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`;
}
