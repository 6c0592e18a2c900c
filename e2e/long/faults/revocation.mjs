// @ts-check
/**
 * Measures how long after the response to a revocation any gateway still accepts the key, with requests in
 * flight.
 */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeBlog } from '../../support/schemas/blog.mjs';
import { createKey, expectStatus, signUp } from '../../support/control.mjs';
import { openApi, send } from '../../support/http.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { limitPace } from '../lib/pace.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const REVOCATIONS = readCount('count', 300);
const PER_SECOND = readCount('rate', 2_000);
const BAR_MS = 100;
const BEFORE_MS = 150;
/**
 * Requests continue for this time after the revocation's response. The time is several times the limit, so
 * that a gateway that is late is noticed.
 */
const AFTER_MS = 500;

await runSuite(() =>
  withProduct({ gateways: 2 }, async (product) => {
    const user = await signUp(product.control);
    await writeBlog(openApi(product.gateways[0] ?? '', user.key), 'revocation');
    const agent = new http.Agent({ keepAlive: true, maxSockets: 128 });
    /** @type {Measured[]} */
    const measured = [];
    for (let index = 0; index < REVOCATIONS; index += 1) {
      measured.push(await revokeUnderLoad(product, user, agent, index));
      if (index % 25 === 24) console.log(`${index + 1} of ${REVOCATIONS}`);
    }
    agent.destroy();
    const lasts = measured.map((item) => item.lastAcceptedMs);
    const figures = {
      last_accepted_after_answer_ms: summarize(lasts),
      last_sent_and_accepted_after_answer_ms: summarize(measured.map((item) => item.lastSentMs)),
      revocation_answer_ms: summarize(measured.map((item) => item.answerMs)),
      requests_per_second: summarize(measured.map((item) => item.perSecond)),
      revocations_with_any_accepted_afterwards: lasts.filter((value) => value > 0).length,
      requests: measured.reduce((sum, item) => sum + item.requests, 0),
      unexpected_answers: measured.reduce((sum, item) => sum + item.unexpected, 0),
      each_ms: lasts.map((value) => Math.round(value * 10) / 10),
    };
    const { p99 } = figures.last_accepted_after_answer_ms;
    return {
      suite: 'revocation',
      title: 'Revocation: time until the last accepted request',
      command: `pnpm test:long revocation${REVOCATIONS === 300 ? '' : ` --count ${REVOCATIONS}`}${PER_SECOND === 2_000 ? '' : ` --rate ${PER_SECOND}`}`,
      seed: null,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: [],
      claims: [
        {
          claim:
            `p99 of the last accepted request is within ${BAR_MS} ms of the response, over ` +
            `${REVOCATIONS} revocations`,
          holds: p99 <= BAR_MS,
          found: `p99 ${p99} ms, max ${figures.last_accepted_after_answer_ms.max} ms`,
        },
        {
          claim: `the key is used at ${PER_SECOND} requests/s over two gateways`,
          holds: figures.requests_per_second.p50 >= PER_SECOND * 0.95,
          found: `median ${figures.requests_per_second.p50}/s`,
        },
        {
          claim: 'all earlier responses are 200, and all later ones are 401',
          holds: figures.unexpected_answers === 0,
          found: `${figures.unexpected_answers} others`,
        },
      ],
      notes: [
        'A request counts as accepted when its 200 arrives, which is later than its authorization, so the figures are upper bounds. 0 means that no request was accepted after the response.',
      ],
      figures,
    };
  }),
);

/**
 * @typedef {object} Measured
 * @property {number} lastAcceptedMs time of the last accepted response after the revocation; 0 when there was
 *   none
 * @property {number} lastSentMs the same, by the time at which the request was sent
 * @property {number} answerMs the duration of the revocation itself
 * @property {number} perSecond
 * @property {number} requests
 * @property {number} unexpected
 */

/**
 * @param {import('../../support/with-product.mjs').RunningProduct} product
 * @param {import('../../support/control.mjs').TestUser} user
 * @param {http.Agent} agent
 * @param {number} index
 * @returns {Promise<Measured>}
 */
async function revokeUnderLoad(product, user, agent, index) {
  const key = await createKey(user, { name: `revocation ${index}` });
  const headers = { Authorization: `Bearer ${key.secret}` };
  for (const base of product.gateways)
    expectStatus(await send(base, 'GET', '/v1/-/posts/1', { headers, agent }), [200], 'a fresh key');
  /** @type {{ sentMs: number, arrivedMs: number, status: number }[]} */
  const answers = [];
  /** @type {Promise<void>[]} */
  const pending = [];
  let stop = false;
  const load = limitPace({
    perSecond: PER_SECOND,
    until: () => stop,
    fire: (count) => {
      const sentMs = performance.now();
      const base = product.gateways[count % 2] ?? '';
      pending.push(
        send(base, 'GET', `/v1/-/posts/${1 + (count % 3)}`, { headers, agent }).then(
          ({ status }) => void answers.push({ sentMs, arrivedMs: performance.now(), status }),
          () => void answers.push({ sentMs, arrivedMs: performance.now(), status: 0 }),
        ),
      );
    },
  });
  await sleep(BEFORE_MS);
  const requestedMs = performance.now();
  const revoked = await user.control.call('DELETE', `/api/keys/${key.id}`);
  const answeredMs = performance.now();
  expectStatus(revoked, [200, 204], 'revoke');
  await sleep(AFTER_MS);
  stop = true;
  const { fired, elapsedMs } = await load;
  await Promise.all(pending);
  const accepted = answers.filter((answer) => answer.status === 200);
  const latest = (/** @type {number[]} */ times) => Math.max(0, ...times.map((time) => time - answeredMs));
  return {
    lastAcceptedMs: latest(accepted.map((answer) => answer.arrivedMs)),
    lastSentMs: latest(accepted.map((answer) => answer.sentMs)),
    answerMs: answeredMs - requestedMs,
    perSecond: (fired * 1_000) / elapsedMs,
    requests: answers.length,
    unexpected: answers.filter(
      (answer) => answer.status !== 200 && (answer.status !== 401 || answer.arrivedMs < requestedMs),
    ).length,
  };
}
