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
 * - `--parallel 6`: planned sequences at the same time
 * - `--add`: adds this run to the last report; the seeds must differ
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { withProduct } from '../../support/with-product.mjs';
import { readCommit } from '../../support/write-report.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

/** @typedef {'mariadb' | 'mysql'} Engine */
/** @typedef {{ engine: Engine, way: string, seed: number, commit: string, command: string, sequences: number, seconds: number, version: string, counts: Record<string, number> }} Part */

const COUNTS = {
  planned: readCount('runs', 5_000),
  worker: readCount('worker', 100),
  http: readCount('http', 100),
};
const SEED = readCount('seed', 1);
const SECONDS = readCount('seconds', 7_200);
const WAYS = /** @type {(keyof typeof COUNTS)[]} */ (readWords('way') ?? ['planned', 'worker', 'http']);
/** @type {Engine[]} */
const ENGINE_NAMES = ['mariadb', 'mysql'];
const ENGINES = /** @type {Engine[]} */ (readWords('engine') ?? ENGINE_NAMES);
const PARALLEL = readCount('parallel', 6);
const COMMAND = `pnpm test:long schema-model${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`;
/** The number of sequences that each engine has to reach, in all parts together. */
const PLANNED_MIN = 5_000;
/**
 * Server flags for the planned sequences. They save a third of the server's time. They turn off crash safety,
 * statement statistics, and threads and buffers of index builds, none of which affects a sequence.
 */
const SERVER_FLAGS = {
  mariadb: [
    '--innodb-flush-log-at-trx-commit=0',
    '--performance-schema=OFF',
    '--innodb-stats-persistent=OFF',
  ],
  mysql: [
    '--innodb-flush-log-at-trx-commit=0',
    '--performance-schema=OFF',
    '--innodb-stats-persistent=OFF',
    '--innodb-ddl-threads=1',
    '--innodb-parallel-read-threads=1',
    '--innodb-ddl-buffer-size=65536',
    '--innodb-sort-buffer-size=65536',
  ],
};
/** The maximum share of sequences that are rejected. */
const REJECTED_SHARE_MAX = 0.02;

await runSuite(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-model-'));
  try {
    /** @type {Part[]} */
    const found = [];
    for (const engine of ENGINES)
      for (const method of WAYS)
        found.push(await runPart(engine, method, join(folder, `${engine}-${method}.log`)));
    const parts = process.argv.includes('--add') ? readParts() : [];
    for (const part of found) addPart(parts, part);
    return describe(parts);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Reads the parts of the last report. @returns {Part[]} */
function readParts() {
  const report = JSON.parse(readFileSync(join(rootDir, 'reports', 'schema-model.json'), 'utf8'));
  return report.figures.parts.map((/** @type {Part} */ part) => ({
    ...part,
    commit: part.commit ?? report.commit,
    command: part.command ?? report.command,
  }));
}

/** @param {Part[]} parts @param {Part} part */
function addPart(parts, part) {
  const isSame = (/** @type {Part} */ other) => other.engine === part.engine && other.way === part.way;
  const twice = parts.find(
    (other) =>
      isSame(other) && other.seed < part.seed + part.sequences && part.seed < other.seed + other.sequences,
  );
  if (twice !== undefined) throw new Error(`the report has the seeds from ${twice.seed} already`);
  parts.push(part);
}

/** @param {Part[]} parts @returns {import('../../support/write-report.mjs').Report} */
function describe(parts) {
  const count = (/** @type {RegExp} */ form) =>
    parts.reduce(
      (sum, part) =>
        sum +
        Object.entries(part.counts).reduce((own, [key, value]) => own + (form.test(key) ? value : 0), 0),
      0,
    );
  const [same, rejected, wrong] = [count(/: same$/), count(/: refused /), count(/: wrong /)];
  const sequencesOf = (/** @type {Engine} */ engine, /** @type {string} */ way) =>
    parts
      .filter((part) => part.engine === engine && part.way === way)
      .reduce((sum, part) => sum + part.sequences, 0);
  const unsound = parts
    .filter((part) => (part.counts['unsound'] ?? 0) > 0)
    .map(
      (part) =>
        `${part.counts['unsound']} of ${part.sequences} sequences (${part.engine}, ${part.way}, seed ` +
        `${part.seed}), in which the plain server returns an error for an ALTER and still applies it`,
    );
  const unfinished = parts
    .filter((part) => part.sequences < requestedBy(part))
    .map(
      (part) =>
        `${requestedBy(part) - part.sequences} of ${requestedBy(part)} sequences (${part.engine}, ${part.way}, seed ` +
        `${part.seed}), because the part ended early`,
    );
  const missing = ENGINE_NAMES.flatMap((engine) =>
    Object.keys(COUNTS)
      .filter((way) => sequencesOf(engine, way) === 0)
      .map((way) => `${engine}, ${way}`),
  );
  return {
    suite: 'schema-model',
    title: 'Random schema changes compared with a plain server',
    command: COMMAND,
    commit: parts.at(-1)?.commit ?? readCommit(),
    seed: SEED,
    engines: Object.fromEntries(parts.map((part) => [part.engine, part.version])),
    skips: [...missing, ...unfinished, ...unsound],
    claims: [
      {
        claim: 'every sequence produces the schema and the rows of a plain server',
        holds: same > 0 && wrong === 0,
        found: `${same} the same, ${wrong} different`,
      },
      {
        claim: 'at most 2 % of the sequences are rejected, each with a named error',
        holds: rejected <= REJECTED_SHARE_MAX * (same + rejected + wrong),
        found: `${rejected} refused`,
      },
      {
        claim: `${PLANNED_MIN} sequences run on each engine`,
        holds: ENGINE_NAMES.every((engine) => sequencesOf(engine, 'planned') >= PLANNED_MIN),
        found: ENGINE_NAMES.map((engine) => `${engine} ${sequencesOf(engine, 'planned')}`).join(', '),
      },
    ],
    figures: { parts },
  };
}

/** Returns the number of sequences in the part's command; 0 if the command does not name one. @param {Part} part */
function requestedBy({ command, way }) {
  return Number(new RegExp(`--${way === 'planned' ? 'runs' : way} (\\d+)`).exec(command)?.[1] ?? 0);
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
    ...(method === 'planned'
      ? { SCHEMA_CHANGES_PARALLEL: String(PARALLEL), TEST_SERVER_FLAGS: SERVER_FLAGS[engine].join(' ') }
      : {}),
  };
  const commit = readCommit();
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
  return { ...summary, way: method, seed: SEED, commit, command: COMMAND };
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
    'apps/migration-worker/src/online-ddl/schema-changes.int.test.ts',
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
