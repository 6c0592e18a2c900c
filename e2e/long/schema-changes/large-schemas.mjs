// @ts-check
/**
 * Measures large schemas through the product: the time of a diff, of a first deployment of all tables, and of
 * a deployment of one column. The sizes take turns, and the report gives medians.
 *
 * Options: `--engine mariadb|mysql`, `--rounds` of each diff.
 */
import { readFileSync } from 'node:fs';
import { deploy, expectStatus, openProject, signUp } from '../../support/control.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
const ROUNDS = readCount('rounds', 7);
const SIZES = [50, 250];
/** The upper bounds in milliseconds, by number of tables. */
const BOUNDS = {
  diff: { 50: 150, 250: 1_000 },
  first: { 50: 20_000, 250: 20_000 },
  column: { 50: 2_000, 250: 2_000 },
};

/** @typedef {{ first: number[], diff: number[], changed: number[], column: number[] }} Times */

/** @param {number} tables */
function writeSchema(tables) {
  const write = (/** @type {number} */ index) => `CREATE TABLE t${index} (
    id int PRIMARY KEY AUTO_INCREMENT, name varchar(80) NOT NULL DEFAULT '', amount decimal(10,2), made datetime DEFAULT CURRENT_TIMESTAMP, note text, parent_id int,
    KEY name (name), KEY made (made), CONSTRAINT f${index} FOREIGN KEY (parent_id) REFERENCES t${Math.floor(index / 5)} (id));`;
  return Array.from({ length: tables }, (_, index) => write(index)).join('\n');
}

/** @template T @param {number[]} times @param {() => Promise<T>} callback @returns {Promise<T>} */
async function timed(times, callback) {
  const startedAt = performance.now();
  const result = await callback();
  times.push(Math.round(performance.now() - startedAt));
  return result;
}

/** @param {number[]} times */
const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Returns the seconds that all processors together have worked since the start. */
function readBusySeconds() {
  const [, user = 0, nice = 0, system = 0] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '')
    .split(/\s+/)
    .map(Number);
  return (user + nice + system) / 100;
}

await runSuite(async () => {
  const busyAtStart = readBusySeconds();
  /** @type {Record<string, string>} */
  const engines = {};
  /** @type {Record<string, Record<number, Times>>} */
  const times = {};
  for (const engine of ENGINES)
    await withProduct({ gateways: 1, engine }, async (product) => {
      engines[engine] = product.mysql.version;
      times[engine] = await measure(product.control);
    });
  return {
    suite: 'large-schemas',
    title: 'Plans and deploys of large schemas',
    command: `pnpm test:long large-schemas${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines,
    skips: ENGINES.length === 2 ? [] : ['the other engine'],
    claims: Object.entries(times).flatMap(([engine, bySize]) => describe(engine, bySize)),
    figures: {
      rounds: ROUNDS,
      times_ms: times,
      busy_seconds_of_all_processors: Math.round(readBusySeconds() - busyAtStart),
    },
    notes: [
      'Times are measured by a client of the control API and include waits for the migration. A deploy of one column plans and runs two columns, because one is already in the draft.',
    ],
  };
});

/** @param {string} control the address of the control API @returns {Promise<Record<number, Times>>} */
async function measure(control) {
  const user = await signUp(control, { name: 'large', starter: 'empty' });
  /** @type {{ size: number, project: Awaited<ReturnType<typeof openProject>>, own: Times }[]} */
  const entries = [];
  for (const size of SIZES) {
    const project = await openProject(user, { name: `Large ${size}` });
    const own = { first: [], diff: [], changed: [], column: [] };
    entries.push({ size, project, own });
    await timed(own.first, () => deploy(project, writeSchema(size)));
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { project, own } of entries) {
      const path = `/api/projects/${project.projectId}`;
      const diff = async () =>
        expectStatus(
          await project.control.call('GET', `${path}/diff?database=${project.development.id}`),
          [200],
          'diff',
        );
      await timed(own.diff, diff);
      const draft = { mode: 'apply', sql: `ALTER TABLE t7 ADD COLUMN drafted${round} int;` };
      expectStatus(
        await project.control.call('PUT', `${path}/schema`, draft),
        [200, 201],
        'change of the draft',
      );
      await timed(own.changed, diff);
      await timed(own.column, () => deploy(project, `ALTER TABLE t9 ADD COLUMN c${round} int;`));
    }
  }
  return Object.fromEntries(entries.map(({ size, own }) => [size, own]));
}

/** @param {string} engine @param {Record<number, Times>} bySize */
function describe(engine, bySize) {
  return SIZES.flatMap((size) => {
    const own = /** @type {Times} */ (bySize[size]);
    const bound = (/** @type {keyof typeof BOUNDS} */ kind) =>
      /** @type {Record<number, number>} */ (BOUNDS[kind])[size] ?? 0;
    const slowest = Math.max(median(own.diff), median(own.changed));
    return [
      {
        claim: `${engine}, ${size} tables: a diff takes less than ${bound('diff')} ms`,
        holds: slowest < bound('diff'),
        found: `${median(own.diff)} ms without and ${median(own.changed)} ms with a change`,
      },
      {
        claim: `${engine}, ${size} tables: the first deploy takes less than ${bound('first')} ms`,
        holds: median(own.first) < bound('first'),
        found: `${median(own.first)} ms`,
      },
      {
        claim: `${engine}, ${size} tables: a deploy of one column takes less than ${bound('column')} ms`,
        holds: median(own.column) < bound('column'),
        found: `${median(own.column)} ms`,
      },
    ];
  });
}
