// @ts-check
/**
 * Applies random sequences of schema changes. They lead to the same schema and the same rows on a plain
 * server, in one deployment, in several deployments and by promotion.
 *
 * - `--runs 5000`: sequences planned and applied in the test process, on each engine
 * - `--worker 100`: sequences over a worker, with tasks, the journal and publishing
 * - `--http 100`: sequences over the control API of a started product
 * - `--seconds 3600`: the time limit of each part
 * - `--seed 1`, `--engine mariadb|mysql`, `--way planned|worker|http`
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { withProduct } from '../support/with-product.mjs';
import { readCount, readWords, runSuite } from './lib/run-suite.mjs';

/** @typedef {'mariadb' | 'mysql'} Engine */
/** @typedef {{ engine: Engine, way: string, seed: number, sequences: number, seconds: number, version: string, counts: Record<string, number> }} Part */

const COUNTS = {
  planned: readCount('runs', 5_000),
  worker: readCount('worker', 100),
  http: readCount('http', 100),
};
const SEED = readCount('seed', 1);
const SECONDS = readCount('seconds', 7_200);
const WAYS = /** @type {(keyof typeof COUNTS)[]} */ (readWords('way') ?? ['planned', 'worker', 'http']);
const ENGINES = /** @type {Engine[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
/** The maximum share of sequences that are rejected. */
const REJECTED_SHARE_MAX = 0.02;

await runSuite(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-model-'));
  try {
    /** @type {Part[]} */
    const parts = [];
    for (const engine of ENGINES)
      for (const method of WAYS)
        parts.push(await runPart(engine, method, join(folder, `${engine}-${method}.log`)));
    return describe(parts);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @param {Part[]} parts @returns {import('../support/write-report.mjs').Report} */
function describe(parts) {
  const count = (/** @type {RegExp} */ form) =>
    parts.reduce(
      (sum, part) =>
        sum +
        Object.entries(part.counts).reduce((own, [key, value]) => own + (form.test(key) ? value : 0), 0),
      0,
    );
  const [same, rejected, wrong] = [count(/: same$/), count(/: refused /), count(/: wrong /)];
  const planned = parts.filter((part) => part.way === 'planned');
  const unsound = parts
    .filter((part) => (part.counts['unsound'] ?? 0) > 0)
    .map(
      (part) =>
        `${part.counts['unsound']} of ${part.sequences} sequences (${part.engine}, ${part.way}), in which the plain server answers an ALTER with an error and makes it`,
    );
  return {
    suite: 'schema-model',
    title: 'Random schema changes against a plain server',
    command: `pnpm test:long schema-model${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: SEED,
    engines: Object.fromEntries(parts.map((part) => [part.engine, part.version])),
    skips: [
      ...(WAYS.length === 3 ? [] : [`ways other than ${WAYS.join(', ')}`]),
      ...(ENGINES.length === 2 ? [] : ['the other engine']),
      ...unsound,
    ],
    claims: [
      {
        claim: 'every sequence leads to the schema and the rows of a plain server',
        holds: same > 0 && wrong === 0,
        found: `${same} the same, ${wrong} different`,
      },
      {
        claim: 'at most 2 % of the sequences are rejected, each with a named error',
        holds: rejected <= REJECTED_SHARE_MAX * (same + rejected + wrong),
        found: `${rejected} refused`,
      },
      {
        claim: `${COUNTS.planned} sequences run on each engine`,
        holds: planned.length === 2 && planned.every((part) => part.sequences >= 5_000),
        found: planned.map((part) => `${part.engine} ${part.sequences}`).join(', '),
      },
    ],
    figures: { parts },
  };
}

/** @param {Engine} engine @param {keyof typeof COUNTS} method @param {string} log @returns {Promise<Part>} */
async function runPart(engine, method, log) {
  const settings = {
    TEST_ENGINE: engine,
    SCHEMA_CHANGES_WAY: method,
    SCHEMA_CHANGES_RUNS: String(COUNTS[method]),
    SCHEMA_CHANGES_SEED: String(SEED),
    SCHEMA_CHANGES_SECONDS: String(SECONDS),
    SCHEMA_CHANGES_LOG: log,
  };
  if (method !== 'http') await runVitest(settings);
  else {
    await withProduct({ engine, gateways: 1 }, async (product) => {
      const { host, port, user, password } = product.platform.admin;
      const tenants = product.mysql.admin;
      const address = JSON.stringify({
        controlUrl: product.control,
        platform: { host, port, user, password },
      });
      await runVitest({
        ...settings,
        SCHEMA_CHANGES_PRODUCT: address,
        TEST_MYSQL_URL: `mysql://${tenants.user}:${encodeURIComponent(tenants.password)}@${tenants.host}:${tenants.port}`,
      });
    });
  }
  const lines = readFileSync(log, 'utf8').split('\n');
  for (const line of lines) if (!line.startsWith('{"engine"')) console.log(line);
  const summary = JSON.parse(lines.findLast((line) => line.startsWith('{"engine"')) ?? '{}');
  return { ...summary, way: method, seed: SEED };
}

/**
 * Runs the tests. A failed run has already written its findings.
 * @param {Record<string, string>} settings
 * @returns {Promise<void>}
 */
function runVitest(settings) {
  const args = [
    'run',
    '--config',
    'infra/checks/vitest.int.config.mjs',
    'apps/migration-worker/src/schema-changes.int.test.ts',
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(join(rootDir, 'node_modules', '.bin', 'vitest'), args, {
      cwd: rootDir,
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
