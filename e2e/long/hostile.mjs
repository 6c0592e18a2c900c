// @ts-check
/** Forty thousand hostile requests: ninety classes in a hundred places, each with a control that is served. */
import { ERROR_CODES } from '@rowhouse/errors';
import { CLASSES, PAIRS_COUNT } from '../hostile/make-hostile.mjs';
import { prepareLanes } from '../hostile/prepare-lanes.mjs';
import { readStartTimes } from '../hostile/read-start-times.mjs';
import { runControls, runHostile } from '../hostile/run-hostile.mjs';
import { withProduct } from '../support/with-product.mjs';
import { readCount, runSuite } from './lib/run-suite.mjs';

const REQUESTS = readCount('count', 40_000);
const FIRST = readCount('first', 0);
const SEED = readCount('seed', 20_260_101);
const LANES = readCount('lanes', 8);
/** The longest that a call may run, and what its way may take beside. */
const SLOWEST_MS = 10_000 + 250;

await runSuite(() => withProduct({ gateways: 2 }, async (product) => {
  const { lanes, close } = await prepareLanes({ ...product, mysql: product.mysql.admin }, LANES);
  const started = await readStartTimes(product.metricsUrls);
  const controls = { sent: 0, classes: 0, faults: /** @type {string[]} */ ([]) };
  for (const lane of lanes.slice(0, 2)) {
    const { sent, classes, faults } = await runControls(lane);
    Object.assign(controls, { sent: controls.sent + sent, classes, faults: [...controls.faults, ...faults] });
  }
  const result = await runHostile({ lanes, codes: ERROR_CODES, seed: SEED, count: REQUESTS, first: FIRST });
  const after = await runControls(/** @type {import('../hostile/prepare-lanes.mjs').Lane} */ (lanes[0]));
  const restarted = (await readStartTimes(product.metricsUrls)).filter((line) => !started.includes(line));
  await close();
  for (const finding of result.findings.slice(0, 20)) console.log(JSON.stringify(finding, null, 2));
  for (const fault of controls.faults.slice(0, 20)) console.log(`control: ${fault}`);
  const having = (/** @type {RegExp} */ pattern) => result.findings.filter((finding) => finding.faults.some((fault) => pattern.test(fault))).length;
  const leastPlaces = Math.min(...CLASSES.map((entry) => entry.places.length));
  const places = new Set(CLASSES.flatMap((entry) => entry.places)).size;
  return {
    suite: 'hostile',
    title: `${REQUESTS} hostile requests: ${CLASSES.length} classes in ${places} places`,
    command: `pnpm test:long hostile${REQUESTS === 40_000 ? '' : ` --count ${REQUESTS}`}`,
    seed: SEED,
    engines: { [product.mysql.engine]: product.mysql.version },
    skips: [],
    claims: [
      { claim: 'at least 40 named classes, each in at least 9 places', holds: CLASSES.length >= 40 && leastPlaces >= 9 && (REQUESTS < PAIRS_COUNT || Object.keys(result.byClass).length === CLASSES.length), found: `${CLASSES.length} classes, ${places} places, ${leastPlaces} at least; ${PAIRS_COUNT} pairs` },
      { claim: 'each class and each place has a control that reaches the planner', holds: controls.faults.length === 0 && after.faults.length === 0, found: `${controls.sent + after.sent} controls, before and after, ${controls.faults.length + after.faults.length} not served` },
      { claim: 'no 5xx but for a limit of time or size', holds: having(/is a 5/) === 0, found: `${having(/is a 5/)}` },
      { claim: 'no row of another tenant or of a table or column that the key may not see, and no name of one', holds: having(/another tenant|may not see|may not know/) === 0, found: `${having(/another tenant|may not see|may not know/)}` },
      { claim: 'no database text', holds: having(/speaks of the inside/) === 0, found: `${having(/speaks of the inside/)}` },
      { claim: 'no row changed', holds: having(/changed rows/) === 0, found: `${having(/changed rows/)} changes in ${result.checksums} checksums of all tables` },
      { claim: 'every request answered, in the terms of the error table', holds: result.findings.length === 0, found: `${result.findings.length} findings of any kind` },
      { claim: `slowest answer below ${SLOWEST_MS} ms`, holds: (result.slowest[0]?.ms ?? 0) < SLOWEST_MS, found: `${result.slowest[0]?.ms ?? 0} ms` },
      { claim: 'no gateway was started again', holds: restarted.length === 0, found: restarted.length === 0 ? 'none' : restarted.join(', ') },
    ],
    notes: ['Writes are rehearsed (`Prefer: tx=rollback`), so that no request may change a row; row checksums are those of `CHECKSUM TABLE`, taken every 20 requests of a lane. A lane is a tenant of its own with a key narrowed to some of its tables.'],
    figures: { byStatus: result.byStatus, byCode: result.byCode, slowest: result.slowest, byClass: result.byClass, byPlace: result.byPlace, findings: result.findings.slice(0, 50) },
  };
}));
