// @ts-check
/**
 * Runs the tests that `pnpm test` omits because they are slow: the files of
 * `infra/checks/runner/nightly.mjs` on both engines, and the planted violations of every lint rule.
 *
 * Option: `--part planted|unit|int|e2e`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { createTerminalReport } from '@rowhouse/local/report';
import { provideChromium, provideCurl } from '@rowhouse/test-servers/provide-programs';
import { formatOutcome, readVitest } from '../../../infra/checks/runner/read-vitest.mjs';
import { readWords, runSuite } from '../lib/run-suite.mjs';

const PARTS = readWords('part') ?? ['planted', 'unit', 'int', 'e2e'];

await runSuite(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-nightly-'));
  try {
    const report = createTerminalReport();
    const folders = [...(await provideChromium(report)), ...(await provideCurl(report))];
    const env = {
      ...process.env,
      PATH: [...folders, process.env['PATH'] ?? ''].join(delimiter),
      TEST_SET: 'nightly',
      TEST_ENGINE: 'both',
      TEST_VERSIONS_FILE: join(folder, 'versions.json'),
    };
    const results = [];
    for (const part of PARTS) results.push({ part, ...(await runPart(part, folder, env)) });
    return {
      suite: 'nightly',
      title: 'The tests that CI omits',
      command: `pnpm test:long nightly${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
      seed: null,
      engines: readVersions(folder),
      skips: ['planted', 'unit', 'int', 'e2e'].filter((part) => !PARTS.includes(part)),
      claims: results.map(({ part, passed, failed, skipped, failures }) => ({
        claim: `every test of ${part} passes`,
        holds: passed > 0 && failed === 0,
        found: formatOutcome({ passed, failed, skipped, failures }),
      })),
      figures: Object.fromEntries(results.map(({ part, ...figures }) => [part, figures])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {string} part @param {string} folder @param {NodeJS.ProcessEnv} env */
async function runPart(part, folder, env) {
  const output = join(folder, `${part}.json`);
  const config = `infra/checks/vitest.${part}.config.mjs`;
  const args = ['run', '--config', config, '--reporter', 'default', '--reporter', 'json'];
  const code = await new Promise((resolve, reject) => {
    const child = spawn(
      join(rootDir, 'node_modules', '.bin', 'vitest'),
      [...args, `--outputFile.json=${output}`],
      { cwd: rootDir, env, stdio: ['ignore', 'inherit', 'inherit'] },
    );
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  return readVitest(JSON.parse(readFileSync(output, 'utf8')), code);
}

/**
 * Reads the versions that the setup of the integration tests has written. Returns an empty object when they
 * did not run.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function readVersions(folder) {
  const file = join(folder, 'versions.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
