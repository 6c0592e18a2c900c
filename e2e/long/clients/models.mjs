// @ts-check
/**
 * Generates Python and TypeScript for many schemas. The code is imported and type-checked, and writes rows of
 * every column type to the database and reads them back.
 */
import { provideDebianPython, provideNewestPython } from '@rowhouse/test-servers/provide-python';
import { createTerminalReport } from '@rowhouse/local/report';
import { makeRandomSchema, toSchemaSql } from '@rowhouse/schema-model/testing';
import { deploy, openProject, signUp } from '../../support/control.mjs';
import { everyTypeSql } from '../../support/schemas/every-type-columns.mjs';
import {
  checkPythonTypes,
  compileTypeScript,
  readCode,
  tryPythonCode,
} from '../../support/code/generated-code.mjs';
import { openApi } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

/** @typedef {import('@rowhouse/test-servers/provide-python').Python} Python */
/** @typedef {import('../../support/control.mjs').TestUser} User */
/** @typedef {{ name: string, sql: string | null }} Subject */
/** @typedef {{ classes: number, tables: number, columns: number, rows_by_api: number, type_checked: number, compiled: number, round_trips: number }} Total */

const SEED = 9_000;
const DEPLOY_ATTEMPTS_MAX = 10;
const SERVED_TIMEOUT_MS = 120_000;
const COUNT = readCount('count', 50);
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);

/**
 * Lists the schemas in an engine's dialect, with its types and features.
 * @param {'mariadb' | 'mysql'} engine
 * @returns {Subject[]}
 */
const listSubjects = (engine) => [
  { name: 'example', sql: null },
  { name: 'every type', sql: everyTypeSql(engine) },
  { name: '50 tables', sql: toSchemaSql(makeRandomSchema(SEED, { engine, tables: 50 })) },
  ...Array.from({ length: COUNT }, (_, index) => ({
    name: `random ${SEED + 1 + index}`,
    sql: toSchemaSql(makeRandomSchema(SEED + 1 + index, { engine, tables: 8 })),
  })),
];
const SUBJECTS_OF_EACH = 3 + COUNT;

await runSuite(async () => {
  const { pythons, skips } = await findPythons();
  /** @type {Total} */
  const total = {
    classes: 0,
    tables: 0,
    columns: 0,
    rows_by_api: 0,
    type_checked: 0,
    compiled: 0,
    round_trips: 0,
  };
  /** @type {string[]} */
  const faults = [];
  /** @type {Record<string, unknown>} */
  const versions = {};
  /** @type {Record<string, string>} */
  const engines = {};
  for (const engine of ENGINES) {
    await withProduct({ gateways: 1, engine }, async (product) => {
      engines[engine] = product.mysql.version;
      await trySubjects({
        person: await signUp(product.control),
        gateway: product.gateways[0] ?? '',
        engine,
        pythons,
        total,
        faults,
        versions,
      });
    });
  }
  return {
    suite: 'models',
    title: `Generated models over ${SUBJECTS_OF_EACH} schemas`,
    command: `pnpm test:long models${COUNT === 50 ? '' : ` --count ${COUNT}`}${ENGINES.length === 2 ? '' : ` --engine ${ENGINES[0]}`}`,
    seed: SEED,
    engines,
    skips,
    claims: [
      {
        claim:
          'generated Python can be imported, writes and reads rows of every column, and reads the same values from the data API',
        holds: faults.length === 0 && pythons.length > 0,
        found:
          faults.length === 0
            ? `${total.round_trips} packages, ${total.columns} columns`
            : faults.map((fault) => fault.slice(0, 300)).join(' | '),
      },
      {
        claim: 'mypy --strict reports no errors',
        holds: total.type_checked > 0 || pythons.every(([, python]) => python.binDir === undefined),
        found: `${total.type_checked} packages`,
      },
      {
        claim: 'generated TypeScript compiles with every strict option',
        holds: total.compiled === SUBJECTS_OF_EACH * ENGINES.length,
        found: `${total.compiled} clients`,
      },
    ],
    notes: [
      'For each table, SQLAlchemy writes three rows, and a new session and the data API read them. For tables without foreign keys, the data API creates one more row from a Create schema and changes it by an Update schema.',
    ],
    figures: { ...total, versions, faults },
  };
});

/** Provides the newest Python packages, and those of Debian. */
async function findPythons() {
  const report = createTerminalReport();
  /** @type {string[]} */
  const skips = [];
  /** @type {[string, Python][]} */
  const pythons = [];
  for (const [name, provide] of /** @type {const} */ ([
    ['newest', provideNewestPython],
    ['debian', provideDebianPython],
  ])) {
    try {
      pythons.push([name, await provide(report)]);
    } catch (err) {
      skips.push(`Python, ${name}: ${err instanceof Error ? err.message : String(err)}`);
    }
  }
  return { pythons, skips };
}

/**
 * Tests every schema on one engine, each in its own project.
 * @param {{ person: User, gateway: string, engine: 'mariadb' | 'mysql', pythons: readonly [string, Python][], total: Total, faults: string[], versions: Record<string, unknown> }} context
 */
async function trySubjects({ person: user, gateway, engine, pythons, total, faults, versions }) {
  for (const subject of listSubjects(engine)) {
    const what = `${subject.name} on ${engine}`;
    const startedMs = performance.now();
    await note(faults, what, async () => {
      const owner = await prepare(user, gateway, subject);
      await note(faults, `${what}, regenerated`, async () => {
        const [first, second] = [await readCode(owner, 'python'), await readCode(owner, 'python')];
        if (JSON.stringify(first) !== JSON.stringify(second)) throw new Error('differs between two runs');
      });
      for (const [index, [name, python]] of pythons.entries()) {
        await note(faults, `${what}, ${name}`, async () => {
          // Each Python version gets its own project with empty tables, because all of them write the same
          // rows.
          versions[name] = await tryOne(
            index === 0 ? owner : await prepare(user, gateway, subject),
            gateway,
            python,
            total,
          );
        });
      }
      await note(faults, `${what}, TypeScript`, () => compile(owner, total));
    });
    console.log(
      `${what}: ${faults.length === 0 ? 'well' : `${faults.length} faults so far`} (${((performance.now() - startedMs) / 1_000).toFixed(0)} s)`,
    );
  }
}

/**
 * Creates a project with the schema and waits until it is served.
 * @param {User} user
 * @param {string} gateway
 * @param {Subject} subject
 */
async function prepare(user, gateway, subject) {
  const owner = await openProject(user, {
    name: subject.name,
    starter: subject.sql === null ? 'blog' : 'empty',
  });
  if (subject.sql !== null) await deployAgain(owner, subject.sql);
  await waitFor(
    'the tables are served',
    async () => (await openApi(gateway, owner.key).get('/')).json.tables.length > 0,
    { timeoutMs: SERVED_TIMEOUT_MS },
  );
  return owner;
}

/**
 * Deploys again if planning took longer than the request waits. The failed request has queued no migration.
 * @param {User} owner
 * @param {string} sql
 */
async function deployAgain(owner, sql) {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await deploy(owner, sql);
    } catch (err) {
      if (attempts === DEPLOY_ATTEMPTS_MAX || !String(err).includes('db.timeout')) throw err;
    }
  }
}

/** @param {User} user @param {string} gateway @param {Python} python @param {Total} total */
async function tryOne(user, gateway, python, total) {
  const tried = await tryPythonCode(user, gateway, python);
  total.round_trips += 1;
  total.classes += tried.counts.classes;
  total.tables += tried.counts.tables;
  total.columns += tried.counts.columns;
  total.rows_by_api += tried.counts.by_api;
  if (python.binDir !== undefined) {
    const message = await checkPythonTypes(python, tried.folder);
    if (message !== '') throw new Error(`mypy: ${message.slice(0, 1_000)}`);
    total.type_checked += 1;
  }
  tried.remove();
  return { pydantic: tried.counts.pydantic, sqlalchemy: tried.counts.sqlalchemy };
}

/** @param {User} user @param {{ compiled: number }} total */
async function compile(user, total) {
  const compiled = await compileTypeScript(await readCode(user, 'typescript'));
  if (compiled.faults !== '') throw new Error(compiled.faults.slice(0, 1_000));
  compiled.remove();
  total.compiled += 1;
}

/**
 * Runs `callback` and records its error, so that one error does not end the suite.
 * @param {string[]} faults
 * @param {string} what
 * @param {() => Promise<void>} callback
 */
async function note(faults, what, callback) {
  try {
    await callback();
  } catch (err) {
    faults.push(`${what}: ${err instanceof Error ? err.message : String(err)}`);
    console.error(`FAULT ${faults.at(-1)?.slice(0, 1_500)}`);
  }
}
