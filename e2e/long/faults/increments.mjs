// @ts-check
/**
 * Lets many clients increment one number, by reading it and writing the next value under `If-Match`. No
 * increment is lost.
 */
import { deploy, expectStatus, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const CLIENTS = readCount('clients', 32);
const INCREMENTS = readCount('increments', 1_000);
const STALE_MIN = readCount('stale-min', 100);
/** The kinds of writes, used in turn. A batch also creates a record in the same transaction. */
const WAYS = ['PUT', 'PATCH', '_batch'];
const SCHEMA = `
CREATE TABLE counters (id INT PRIMARY KEY, value INT NOT NULL, note VARCHAR(40) NULL);
CREATE TABLE steps (id INT AUTO_INCREMENT PRIMARY KEY, value INT NOT NULL UNIQUE);
`;

/** @typedef {import('../../support/http.mjs').Api} Api */
/** @typedef {{ done: Record<string, number>, answers: Record<string, number>, attempts: number[] }} Tally */

await runSuite(() =>
  withProduct({ gateways: 2 }, async (product) => {
    const user = await signUp(product.control, { name: 'increments', starter: 'empty' });
    await deploy(user, SCHEMA);
    const apis = product.gateways.map((base) => openApi(base, user.key));
    for (const api of apis)
      await waitFor('the tables are served', async () => (await api.get('/counters')).status === 200);
    const [api] = apis;
    if (api === undefined) throw new Error('there is no gateway');
    expectStatus(await api.post('/counters', { id: 1, value: 0 }), [201], 'the counter');
    const tally = await countUp(apis);
    const counter = (await api.get('/counters/1')).json.value;
    const steps = (await api.call('GET', '/steps?_count=exact&limit=0')).headers['x-total-count'];
    const done = Object.values(tally.done).reduce((sum, count) => sum + count, 0);
    const stale = tally.answers['412'] ?? 0;
    const others = Object.entries(tally.answers).filter(
      ([status]) => !['200', '412', '503'].includes(status),
    );
    const isUsual = CLIENTS === 32 && INCREMENTS === 1_000 && STALE_MIN === 100;
    return {
      suite: 'increments',
      title: 'No increment under If-Match is lost',
      command: `pnpm test:long increments${isUsual ? '' : ` --clients ${CLIENTS} --increments ${INCREMENTS} --stale-min ${STALE_MIN}`}`,
      seed: null,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: [],
      claims: [
        {
          claim: `${INCREMENTS} increments by ${CLIENTS} clients on two gateways are all stored`,
          holds: done === INCREMENTS,
          found: WAYS.map((method) => `${tally.done[method] ?? 0} by ${method}`).join(', '),
        },
        { claim: `the counter is ${INCREMENTS}`, holds: counter === INCREMENTS, found: String(counter) },
        { claim: `at least ${STALE_MIN} responses are 412`, holds: stale >= STALE_MIN, found: `${stale}` },
        {
          claim: 'a batch writes both of its records or neither',
          holds: Number(steps) === (tally.done['_batch'] ?? 0),
          found: `${String(steps)} steps of ${tally.done['_batch'] ?? 0} batches`,
        },
        {
          claim: 'no other response is returned',
          holds: others.length === 0,
          found: JSON.stringify(Object.fromEntries(others)),
        },
      ],
      figures: {
        answers: tally.answers,
        done: tally.done,
        attempts_for_each_increment: summarize(tally.attempts),
      },
    };
  }),
);

/** @param {readonly Api[]} apis @returns {Promise<Tally>} */
async function countUp(apis) {
  /** @type {Tally} */
  const tally = { done: {}, answers: {}, attempts: [] };
  let remaining = INCREMENTS;
  const client = async (/** @type {number} */ number) => {
    for (let iteration = number; remaining > 0; iteration += 1) {
      remaining -= 1;
      const method = WAYS[iteration % WAYS.length] ?? 'PUT';
      tally.attempts.push(await increment(apis, iteration, method, tally));
      tally.done[method] = (tally.done[method] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  return tally;
}

/**
 * Reads on one gateway and writes on the other, until the write succeeds.
 * @param {readonly Api[]} apis
 * @param {number} iteration
 * @param {string} method
 * @param {Tally} tally
 */
async function increment(apis, iteration, method, tally) {
  for (let attempt = 1; ; attempt += 1) {
    const [reader, writer] = [
      apis[(iteration + attempt) % apis.length],
      apis[(iteration + attempt + 1) % apis.length],
    ];
    if (reader === undefined || writer === undefined) throw new Error('there is no gateway');
    const read = await reader.get('/counters/1');
    expectStatus(read, [200], 'read the counter');
    const response = await write(writer, method, read.json.value + 1, String(read.headers.etag));
    tally.answers[response.status] = (tally.answers[response.status] ?? 0) + 1;
    if (response.status === 200) return attempt;
    // 412 means that another client was faster. 503 with Retry-After means that there was no lock or
    // connection in time, and that nothing happened.
    expectStatus(response, [412, 503], method);
  }
}

/** @param {Api} api @param {string} method @param {number} value @param {string} etag */
function write(api, method, value, etag) {
  if (method !== '_batch')
    return api.call(method, '/counters/1', { body: { value }, headers: { 'If-Match': etag } });
  return api.post('/_batch', {
    operations: [
      { method: 'PATCH', path: '/counters/1', body: { value }, if_match: etag },
      { method: 'POST', path: '/steps', body: { value } },
    ],
  });
}
