// @ts-check
/**
 * Runs five thousand hostile statements on both engines: with each guard alone, with none, through `/query`,
 * with a key that may write, and through a language model that answers with them.
 *
 * Options: `--count`, `--engine`, `--parallel`, `--seed`.
 */
import { startModelServer } from '@rowhouse/testkit';
import { openLaboratory } from '../../hostile-sql/laboratory.mjs';
import { CLASSES, fillNames, makeStatements } from '../../hostile-sql/make-statements.mjs';
import { prepareTargets } from '../../hostile-sql/prepare-tenants.mjs';
import { runDirect } from '../../hostile-sql/run-direct.mjs';
import { runThroughQuery } from '../../hostile-sql/run-query.mjs';
import { VALID_STATEMENTS } from '../../hostile-sql/valid-statements.mjs';
import { openApi } from '../../support/http.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

/** @typedef {import('../../hostile-sql/run-direct.mjs').Trial} Trial */
/** @typedef {import('../../hostile-sql/run-query.mjs').QueryResult} QueryResult */
/** @typedef {import('../../hostile-sql/make-statements.mjs').Hostile} Hostile */

const COUNT = readCount('count', 5_000);
const SEED = readCount('seed', 20_260_401);
const PARALLEL = readCount('parallel', 6);
/**
 * The number of statements per class whose statements run until they are stopped. A small run has as many of
 * these as of other classes; a large run has at most 20.
 */
const BOMBS_PER_CLASS = Math.min(20, Math.ceil(COUNT / CLASSES.length));
const named = process.argv[process.argv.indexOf('--engine') + 1];
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (
  process.argv.includes('--engine') && named !== undefined ? [named] : ['mariadb', 'mysql']
);

/** @param {readonly Trial[]} trials @param {readonly string[]} damages */
function countDamage(trials, damages) {
  return trials.filter((trial) => trial.harms.some((damage) => damages.includes(damage))).length;
}

/** @param {'mariadb' | 'mysql'} engine @param {Hostile[]} statements */
async function removeGuards(engine, statements) {
  const lab = await openLaboratory(engine);
  try {
    const none = await runDirect(lab, statements, { user: 'boss', hasGuard: false });
    const account = await runDirect(lab, statements, { user: 'reader', hasGuard: false });
    const guard = await runDirect(lab, statements, { user: 'boss', hasGuard: true });
    const accountFails = account.filter((trial) =>
      trial.harms.some((damage) => damage === 'changed' || damage === 'rows of others'),
    );
    const guardFails = guard.filter((trial) => trial.harms.some((damage) => damage !== 'limits'));
    for (const trial of [...accountFails, ...guardFails].slice(0, 20)) console.log(JSON.stringify(trial));
    const harmful = none.filter((trial) => trial.harms.length > 0);
    const byHarm = Object.fromEntries(
      ['changed', 'rows of others', 'settings', 'limits', 'locks', 'state'].map((damage) => [
        damage,
        countDamage(none, [damage]),
      ]),
    );
    return {
      version: lab.version,
      harmful: harmful.length,
      byHarm,
      harmlessClasses: CLASSES.map((entry) => entry.name).filter(
        (name) => !harmful.some((trial) => trial.className === name),
      ),
      accountFails: accountFails.length,
      guardFails: guardFails.length,
      guardRefused: guard.filter((trial) => trial.outcome === 'rejected by the guard').length,
    };
  } finally {
    await lab.stop();
  }
}

/** @param {'mariadb' | 'mysql'} engine @param {Hostile[]} statements */
async function sendThroughProduct(engine, statements) {
  const model = await startModelServer();
  try {
    return await withProduct(
      {
        gateways: 2,
        engine,
        extraEnv: { LLM_BASE_URL: model.url, LLM_MODEL: 'scripted', LLM_TOKENS_PER_DAY: '2000000000' },
      },
      async (product) => {
        const { targets, close } = await prepareTargets(
          { ...product, mysql: { ...product.mysql.admin, engine } },
          PARALLEL,
        );
        const few = statements.filter((item) => !item.isBomb);
        const query = await runThroughQuery({ targets, statements });
        const writer = await runThroughQuery({ targets, statements: few, by: 'writer' });
        model.play((modelCall) => ({
          content: { sql: writeResponse(modelCall.text, statements, targets), reason: '' },
        }));
        const requested = await runThroughQuery({
          targets,
          statements: few,
          toBody: (item, sql) => ({
            query: `Which rows does report ${item.index} of target ${targets.findIndex((target) => sql === fillNames(item.sql, target.names))} hold?`,
            mode: 'question',
            engine: 'llm',
          }),
        });
        const modelSaid = model.asked.length;
        const rejected = await sendValid(
          /** @type {import('../../hostile-sql/prepare-tenants.mjs').Target} */ (targets[0]),
          engine,
        );
        await close();
        for (const finding of [query, writer, requested].flatMap((result) => result.findings).slice(0, 20))
          console.log(JSON.stringify(finding));
        for (const line of rejected) console.log(`refused: ${line}`);
        return {
          query,
          writer,
          asked: requested,
          modelSaid,
          refused: rejected,
          version: product.mysql.version,
        };
      },
    );
  } finally {
    await model.stop();
  }
}

/**
 * Returns the scripted model's response: the hostile statement whose number is in the question.
 * @param {string} text
 * @param {Hostile[]} statements
 * @param {readonly import('../../hostile-sql/prepare-tenants.mjs').Target[]} targets
 */
function writeResponse(text, statements, targets) {
  const found = [...text.matchAll(/report (\d+) of target (-?\d+)/g)].at(-1);
  const target = targets[Math.max(0, Number(found?.[2] ?? 0))];
  return fillNames(
    statements[Number(found?.[1] ?? 0)]?.sql ?? '',
    target?.names ?? { own: '', victim: '', files: '', low: '' },
  );
}

/** @param {import('../../hostile-sql/prepare-tenants.mjs').Target} target @param {string} engine */
async function sendValid(target, engine) {
  const api = openApi(target.base, target.key);
  /** @type {string[]} */
  const rejected = [];
  for (const { sql } of VALID_STATEMENTS.filter((item) => (item.engine ?? engine) === engine)) {
    const response = await api.query(sql);
    if (response.status !== 200) rejected.push(`${sql}: ${response.text.slice(0, 200)}`);
  }
  return rejected;
}

await runSuite(async () => {
  /** @type {import('../../support/write-report.mjs').Report['claims']} */
  const claims = [];
  /** @type {Record<string, string>} */
  const versions = {};
  /** @type {Record<string, unknown>} */
  const figures = {};
  const startedMs = performance.now();
  /** @template T @param {string} name @param {Promise<T>} work */
  const tell = async (name, work) => {
    const result = await work;
    console.log(`${name}: done after ${Math.round((performance.now() - startedMs) / 1_000)} s`);
    return result;
  };
  /** @type {Map<string, Awaited<ReturnType<typeof removeGuards>>>} */
  const tried = new Map();
  /** @type {Map<string, Awaited<ReturnType<typeof sendThroughProduct>>>} */
  const sent = new Map();
  // While one engine runs the statements directly, the other runs them through the product. This saves time,
  // because each mostly waits for its own server.
  await Promise.all([
    (async () => {
      for (const engine of ENGINES)
        tried.set(
          engine,
          await tell(
            `${engine}, guards`,
            removeGuards(
              engine,
              makeStatements({ seed: SEED, count: COUNT, engine, bombs: BOMBS_PER_CLASS }),
            ),
          ),
        );
    })(),
    (async () => {
      for (const engine of ENGINES.toReversed())
        sent.set(
          engine,
          await tell(
            `${engine}, product`,
            sendThroughProduct(
              engine,
              makeStatements({ seed: SEED, count: COUNT, engine, bombs: BOMBS_PER_CLASS }),
            ),
          ),
        );
    })(),
  ]);
  for (const engine of ENGINES) {
    const statements = makeStatements({ seed: SEED, count: COUNT, engine, bombs: BOMBS_PER_CLASS });
    const guards = tried.get(engine);
    const product = sent.get(engine);
    if (guards === undefined || product === undefined) throw new Error(`nothing is known of ${engine}`);
    const { query, writer, asked: requested, modelSaid, refused: rejected } = product;
    versions[engine] = guards.version;
    /** @param {QueryResult} result @param {RegExp} pattern */
    const having = (result, pattern) =>
      result.findings.filter((finding) => finding.faults.some((fault) => pattern.test(fault))).length;
    const valid = VALID_STATEMENTS.filter((item) => (item.engine ?? engine) === engine).length;
    const share = Math.round((guards.harmful / statements.length) * 1_000) / 10;
    for (const [endpoint, result] of /** @type {[string, QueryResult][]} */ ([
      ['/query', query],
      ['a key that may write', writer],
      ['a model', requested],
    ])) {
      claims.push({
        claim:
          `${engine}, through ${endpoint}: no row${result === writer ? ' of others' : ''} is changed, ` +
          'no row of others is read, no limit is exceeded, no setting or path is shown, and no lock is ' +
          'left',
        holds: result.findings.length === 0,
        found: `${result.sent} statements, ${result.looks} looks at rows and locks: ${having(result, /changed/)} changed, ${having(result, /not the key/)} of others, ${having(result, /escapes|took/)} limits, ${having(result, /tells|text of/)} settings, ${having(result, /left/)} left, ${having(result, /is a 5/)} other 5xx; slowest statement ${result.slowestMs} ms on the server`,
      });
    }
    claims.push(
      {
        claim: `${engine}: with the guard off, the account changes nothing and reads no rows of others`,
        holds: guards.accountFails === 0,
        found: `${guards.accountFails} of ${statements.length}`,
      },
      {
        claim: `${engine}: with a highly privileged account, the guard prevents every change, disclosure and leftover`,
        holds: guards.guardFails === 0,
        found: `${guards.guardFails} of ${statements.length}; ${guards.guardRefused} refused`,
      },
      {
        claim: `${engine}: with both off, at least 60 % of the statements cause harm`,
        holds: share >= 60,
        found: `${guards.harmful} of ${statements.length} (${share} %): ${JSON.stringify(guards.byHarm)}`,
      },
      {
        claim: `${engine}: at least 300 valid statements are accepted (1 % may be rejected)`,
        holds: valid - rejected.length >= 300 && rejected.length <= valid / 100,
        found: `${valid - rejected.length} of ${valid}`,
      },
      { claim: `${engine}: the model is asked`, holds: modelSaid > 0, found: `${modelSaid} requests` },
    );
    figures[engine] = {
      guards: guards,
      byStatus: query.byStatus,
      byCode: query.byCode,
      accepted: query.accepted,
      modelByCode: requested.byCode,
      writerByCode: writer.byCode,
      refused: rejected,
      findings: [...query.findings, ...writer.findings, ...requested.findings].slice(0, 20),
    };
  }
  const statements = makeStatements({
    seed: SEED,
    count: COUNT,
    engine: 'mariadb',
    bombs: BOMBS_PER_CLASS,
  });
  const counts = CLASSES.map((entry) => statements.filter((item) => item.className === entry.name).length);
  // A run with fewer statements has proportionally fewer of each class.
  const minimum = Math.min(20, Math.floor(COUNT / CLASSES.length));
  claims.unshift({
    claim: `there are at least 40 classes of at least ${minimum} distinct statements each`,
    holds: CLASSES.length >= 40 && Math.min(...counts) >= minimum,
    found: `${CLASSES.length} classes of ${Math.min(...counts)} to ${Math.max(...counts)}`,
  });
  return {
    suite: 'hostile-sql',
    title: `${COUNT} hostile statements, with the guards of the query endpoint on and off`,
    command: `pnpm test:long hostile-sql${COUNT === 5_000 ? '' : ` --count ${COUNT}`}`,
    seed: SEED,
    engines: versions,
    skips: [],
    claims,
    notes: [
      'Harm, with guards off, means changed rows, tables, accounts, files or server settings; rows of another tenant or of a forbidden table; settings or paths shown; more rows, bytes or time than the limits; or locks, an open transaction or session settings left behind. Statements that run until they are stopped are not sent through the model or with the key that may write, because nothing differs there.',
      `The suite took ${Math.round((performance.now() - startedMs) / 60_000)} minutes.`,
    ],
    figures,
  };
});
