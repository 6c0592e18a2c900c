// @ts-check
/**
 * Runs the `console-migrations` journey with a table of a million rows. A schema change is deployed while
 * clients send requests, and the browser shows it until it ends.
 *
 * Options: `--rows 1000000`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const ROWS = readCount('rows', 1_000_000);
const JOURNEY = 'e2e/journeys/console/console-migrations.e2e.ts';

/**
 * @typedef {{ fullName: string, status: string, duration?: number, failureMessages: string[], meta: { engine?: string, version?: string } }}
 *   Assertion `meta` has the engine on which the journey ran, and its version
 * @typedef {{ testResults: { assertionResults: Assertion[] }[] }} VitestReport
 */

/** @param {string} outputFile @returns {Promise<Assertion[]>} */
async function runJourney(outputFile) {
  const vitest = join(rootDir, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    vitest,
    'run',
    '--config',
    'infra/checks/vitest.e2e.config.mjs',
    JOURNEY,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${outputFile}`,
  ];
  const child = spawn(process.execPath, args, {
    cwd: rootDir,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CONSOLE_ROWS: String(ROWS) },
  });
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const report = /** @type {VitestReport} */ (JSON.parse(readFileSync(outputFile, 'utf8')));
  return report.testResults.flatMap((file) => file.assertionResults);
}

await runSuite(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-journey-'));
  try {
    const steps = await runJourney(join(folder, 'report.json'));
    const { engine = 'mariadb', version = 'unknown: the journey did not start' } =
      steps.find(({ meta }) => meta.version !== undefined)?.meta ?? {};
    return {
      suite: 'console-change',
      title: `Watching a change of a table of ${ROWS.toLocaleString('en')} rows in the console`,
      command: `pnpm test:long console-change${ROWS === 1_000_000 ? '' : ` --rows ${ROWS}`}`,
      seed: null,
      engines: { [engine]: version },
      skips: ROWS >= 1_000_000 ? [] : [`the full size: --rows 1000000, not ${ROWS}`],
      claims: [
        { claim: 'the journey has steps', holds: steps.length > 0, found: `${steps.length}` },
        ...steps.map(({ fullName, status, duration = 0, failureMessages }) => ({
          claim: fullName,
          holds: status === 'passed',
          found:
            status === 'passed'
              ? `in ${(duration / 1_000).toFixed(1)} s`
              : ((failureMessages[0] ?? status).split('\n')[0] ?? status),
        })),
      ],
      notes: [`${JOURNEY} runs with CONSOLE_ROWS=${ROWS}. Every test run uses fewer rows.`],
      figures: {
        rows: ROWS,
        steps: steps.map(({ fullName, duration = 0 }) => ({ step: fullName, took_ms: Math.round(duration) })),
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
