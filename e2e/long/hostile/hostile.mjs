// @ts-check
/**
 * Sends forty thousand hostile requests on each engine: ninety classes of input in a hundred positions. A
 * valid control request for each class and position must succeed.
 *
 * Options: `--engine mariadb|mysql`.
 */
import { ERROR_CODES } from '@rowhouse/errors';
import { CLASSES, PAIRS_COUNT } from '../../hostile/make-hostile.mjs';
import { prepareTargets } from '../../hostile/prepare-targets.mjs';
import { readStartTimes } from '../../hostile/read-start-times.mjs';
import { runControls, runHostile } from '../../hostile/run-hostile.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const REQUESTS = readCount('count', 40_000);
const FIRST = readCount('first', 0);
const SEED = readCount('seed', 20_260_101);
const PARALLEL = readCount('parallel', 8);
/** The maximum response time: the time limit of a request plus an allowance for the network. */
const SLOWEST_MS = 10_000 + 250;

/** @typedef {'mariadb' | 'mysql'} Engine */
const ENGINES = /** @type {Engine[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);

/**
 * Sends valid controls, the hostile requests, and the controls again, on one engine.
 * @param {Engine} engine
 */
function attack(engine) {
  return withProduct({ gateways: 2, engine }, async (product) => {
    const { targets, close } = await prepareTargets({ ...product, mysql: product.mysql.admin }, PARALLEL);
    const started = await readStartTimes(product.metricsUrls);
    const controls = { sent: 0, faults: /** @type {string[]} */ ([]) };
    const control = async (
      /** @type {import('../../hostile/prepare-targets.mjs').AttackTarget} */ target,
    ) => {
      const { sent, faults } = await runControls(target);
      controls.sent += sent;
      controls.faults.push(...faults.map((fault) => `${engine}: ${fault}`));
    };
    for (const target of targets.slice(0, 2)) await control(target);
    const result = await runHostile({
      targets,
      codes: ERROR_CODES,
      seed: SEED,
      count: REQUESTS,
      first: FIRST,
    });
    await control(/** @type {import('../../hostile/prepare-targets.mjs').AttackTarget} */ (targets[0]));
    const restarted = (await readStartTimes(product.metricsUrls)).filter((line) => !started.includes(line));
    await close();
    for (const finding of result.findings.slice(0, 20)) console.log(engine, JSON.stringify(finding, null, 2));
    for (const fault of controls.faults.slice(0, 20)) console.log(`control: ${fault}`);
    return { engine, version: product.mysql.version, controls, result, restarted };
  });
}

await runSuite(async () => {
  /** @type {Awaited<ReturnType<typeof attack>>[]} */
  const runs = [];
  for (const engine of ENGINES) runs.push(await attack(engine));
  const findings = runs.flatMap(({ engine, result }) =>
    result.findings.map((finding) => ({ engine, ...finding })),
  );
  const having = (/** @type {RegExp} */ pattern) =>
    findings.filter((finding) => finding.faults.some((fault) => pattern.test(fault))).length;
  const controlFaults = runs.flatMap(({ controls }) => controls.faults);
  const restarted = runs.flatMap((run) => run.restarted);
  const slowestMs = Math.max(...runs.map(({ result }) => result.slowest[0]?.ms ?? 0));
  const leastPlaces = Math.min(...CLASSES.map((entry) => entry.places.length));
  const locations = new Set(CLASSES.flatMap((entry) => entry.places)).size;
  const areAllMet = runs.every(
    ({ result }) => REQUESTS < PAIRS_COUNT || Object.keys(result.byClass).length === CLASSES.length,
  );
  const sum = (/** @type {(run: (typeof runs)[number]) => number} */ count) =>
    runs.reduce((total, run) => total + count(run), 0);
  return {
    suite: 'hostile',
    title:
      `${REQUESTS} hostile requests on both ${ENGINES.join(' and ')}: ${CLASSES.length} classes in ` +
      `${locations} positions`,
    command: `pnpm test:long hostile${REQUESTS === 40_000 ? '' : ` --count ${REQUESTS}`}${ENGINES.length === 2 ? '' : ` --engine ${ENGINES.join(',')}`}`,
    seed: SEED,
    engines: Object.fromEntries(runs.map(({ engine, version }) => [engine, version])),
    skips: ENGINES.length === 2 ? [] : [`ran on ${ENGINES.join(', ')} alone, as asked`],
    claims: [
      {
        claim: 'there are at least 40 named classes, each in at least 9 positions',
        holds: CLASSES.length >= 40 && leastPlaces >= 9 && areAllMet,
        found: `${CLASSES.length} classes, ${locations} positions, at least ${leastPlaces} for each class; ${PAIRS_COUNT} pairs`,
      },
      {
        claim: 'each class and each position has a control that reaches the planner',
        holds: controlFaults.length === 0,
        found: `${sum((run) => run.controls.sent)} controls, before and after, ${controlFaults.length} not served`,
      },
      {
        claim: 'no response is a 5xx, except for limits of time or size',
        holds: having(/is a 5/) === 0,
        found: `${having(/is a 5/)}`,
      },
      {
        claim:
          'no response has a row or name of another tenant, or of a table or column that the key may not see',
        holds: having(/another tenant|may not see|may not know/) === 0,
        found: `${having(/another tenant|may not see|may not know/)}`,
      },
      {
        claim: 'no response contains a text of the database server',
        holds: having(/speaks of the inside/) === 0,
        found: `${having(/speaks of the inside/)}`,
      },
      {
        claim: 'no row changes',
        holds: having(/changed rows/) === 0,
        found: `${having(/changed rows/)} changes in ${sum((run) => run.result.checksums)} checksums of all tables`,
      },
      {
        claim: 'every response is documented',
        holds: findings.length === 0,
        found: `${findings.length} findings of any kind`,
      },
      {
        claim: `the slowest response takes less than ${SLOWEST_MS} ms`,
        holds: slowestMs < SLOWEST_MS,
        found: `${slowestMs} ms`,
      },
      {
        claim: 'no gateway restarts',
        holds: restarted.length === 0,
        found: restarted.length === 0 ? 'none' : restarted.join(', '),
      },
    ],
    notes: [
      'Writes are rolled back (`Prefer: tx=rollback`), so no request may change a row. Row checksums come from `CHECKSUM TABLE`, after every 20 requests of a tenant. Requests run in parallel for several tenants, each with a key limited to some of its tables.',
    ],
    figures: {
      ...Object.fromEntries(
        runs.map(({ engine, result }) => [
          engine,
          {
            byStatus: result.byStatus,
            byCode: result.byCode,
            slowest: result.slowest,
            byClass: result.byClass,
            byPlace: result.byPlace,
          },
        ]),
      ),
      findings: findings.slice(0, 50),
    },
  };
});
