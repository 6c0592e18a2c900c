// @ts-check
/**
 * Runs the integration tests with every combination: every suite on each engine, a kill at every point, and
 * every value of every column type on every code path. `pnpm test` runs only a sample of the combinations.
 *
 * Options: `--only every-type,keep` (files by a part of their name), `--engine mariadb|mysql`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { formatOutcome, readVitest } from '../../../infra/checks/runner/read-vitest.mjs';
import { readWords, runSuite } from '../lib/run-suite.mjs';

const ONLY = readWords('only');
const ENGINE = readWords('engine')?.[0] ?? 'both';

await runSuite(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-matrix-'));
  const output = join(folder, 'report.json');
  try {
    const code = await runVitest(output);
    const { passed, failed, skipped, failures, slowest } = readVitest(
      JSON.parse(readFileSync(output, 'utf8')),
      code,
    );
    return {
      suite: 'matrix',
      title: 'Integration tests with complete matrices',
      command: `pnpm test:long matrix${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
      seed: null,
      engines: readVersions(folder),
      skips: [
        ...(ONLY === undefined ? [] : ['the files that the options omit']),
        ...(ENGINE === 'both' ? [] : ['the other engine']),
      ],
      claims: [
        {
          claim: 'every test passes',
          holds: passed > 0 && failed === 0,
          found: formatOutcome({ passed, failed, skipped, failures }),
        },
      ],
      figures: { passed, failed, skipped, failures, slowest },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {string} output @returns {Promise<number>} the exit code */
function runVitest(output) {
  const args = [
    'run',
    '--config',
    'infra/checks/vitest.int.config.mjs',
    '--reporter',
    'default',
    '--reporter',
    'json',
    `--outputFile.json=${output}`,
    ...(ONLY ?? []),
  ];
  const env = {
    ...process.env,
    TEST_MATRIX: 'whole',
    TEST_ENGINE: ENGINE,
    TEST_VERSIONS_FILE: join(output, '..', 'versions.json'),
  };
  return new Promise((resolve, reject) => {
    const child = spawn(join(rootDir, 'node_modules', '.bin', 'vitest'), args, {
      cwd: rootDir,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
}

/**
 * Reads the versions that the setup of the run has written.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function readVersions(folder) {
  return JSON.parse(readFileSync(join(folder, 'versions.json'), 'utf8'));
}
