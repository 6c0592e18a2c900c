// @ts-check
/**
 * Runs infra/balancer with a real HAProxy in front of two gateways. It checks which gateway serves which
 * database, and which requests fail when a gateway restarts.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openControl, openProject, signUp } from '../../support/control.mjs';
import { send } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { startHaproxy } from './parts/start-haproxy.mjs';
import { limitPace } from '../lib/pace.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const DATABASES = readCount('databases', 12);
const REQUESTS = readCount('requests', 20);
const RESTARTS = readCount('restarts', 3);
const RATE = readCount('rate', 100);
const NAMES = ['gateway', 'gateway-2'];
const WRITE_HOT_SLOTS = fileURLToPath(
  new URL('../../../infra/balancer/write-hot-slots.mjs', import.meta.url),
);

/** @typedef {import('../../support/with-product.mjs').RunningProduct} Product */

await runSuite(async () =>
  withProduct(
    {
      gateways: 2,
      backoffMaxMs: 250,
      extraEnv: { GATEWAY_DRAIN_NOTICE_MS: '2500', TRUSTED_PROXIES: '127.0.0.1/32' },
    },
    async (product) => {
      const balancer = await startHaproxy(
        NAMES.map((name, index) => ({
          url: product.gateways[index] ?? '',
          metricsUrl: product.metricsUrls[name] ?? '',
        })),
      );
      try {
        const first = await signUp(product.control);
        const people = [first];
        while (people.length < DATABASES)
          people.push(await openProject(first, { name: `p${people.length}`, starter: 'blog' }));
        const keys = people.map(({ key }) => key);
        const cold = await countServed(product, balancer.url, keys);
        const hot = await spreadOne(product, balancer, keys[0] ?? '');
        const restarts = await restartInTurn(product, balancer.url, keys);
        const perGateway = NAMES.map((_, index) => cold.filter((served) => (served[index] ?? 0) > 0).length);
        return {
          suite: 'balancer',
          title: 'HAProxy in front of several gateways',
          command: 'pnpm test:long balancer',
          seed: null,
          engines: { [product.mysql.engine]: product.mysql.version },
          skips: [],
          claims: [
            {
              claim: `each of ${keys.length} databases is served by one gateway`,
              holds: cold.every(
                (served) =>
                  served.filter((count) => count >= REQUESTS).length === 1 && Math.min(...served) === 0,
              ),
              found: `${keys.length * REQUESTS} requests: ${JSON.stringify(cold)}`,
            },
            {
              claim: 'both gateways serve some of them',
              holds: Math.min(...perGateway) > 0,
              found: perGateway.join(' and '),
            },
            {
              claim:
                'a hot database appears in the route plan and the map of write-hot-slots.mjs, and both ' +
                'gateways then serve it',
              holds: hot.isMapped && Math.min(...hot.served) > 0,
              found: `${hot.map}; ${hot.served.join(' and ')} requests`,
            },
            {
              claim: `no request fails during ${RESTARTS} restarts of each gateway at ${RATE} requests per second`,
              holds: restarts.failed.length === 0 && restarts.sent > 0,
              found: `${restarts.failed.length} of ${restarts.sent}${restarts.failed.length === 0 ? '' : `: ${restarts.failed.slice(0, 5).join('; ')}`}`,
            },
          ],
          notes: [
            'The configuration lists a third gateway that never runs. The number of served requests comes from the counters of the gateways.',
          ],
          figures: { served: cold, hot, restarts },
        };
      } finally {
        await balancer.stop();
      }
    },
  ),
);

/**
 * Returns the number of requests that each gateway has answered with 2xx.
 * @param {Product} product
 */
async function readCounters(product) {
  return Promise.all(
    NAMES.map(async (name) => {
      const text = await (await fetch(`${product.metricsUrls[name]}/metrics`)).text();
      return [...text.matchAll(/^gateway_requests_total\{[^}]*status="2xx"[^}]*\} (\d+)/gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      );
    }),
  );
}

/**
 * Returns for each key how many of its requests each gateway served.
 * @param {Product} product
 * @param {string} base
 * @param {readonly string[]} keys
 */
async function countServed(product, base, keys) {
  const served = [];
  for (const key of keys) {
    const before = await readCounters(product);
    for (let index = 0; index < REQUESTS; index += 1)
      await send(base, 'GET', '/v1/-/users?limit=1', { headers: { Authorization: `Bearer ${key}` } });
    const after = await readCounters(product);
    served.push(after.map((count, index) => count - (before[index] ?? 0)));
  }
  return served;
}

/**
 * @param {Product} product
 * @param {{ url: string, hotSlots: string, reload: () => void }} balancer
 * @param {string} key
 */
async function spreadOne(product, balancer, key) {
  const { email, password } = product.run.demo ?? { email: '', password: '' };
  const operator = openControl(product.control);
  await operator.call('POST', '/api/auth/login', { email, password });
  const token = (await operator.call('POST', '/api/tokens', { name: 'balancer' })).json.token;
  const slot = key.split('_')[2]?.slice(0, 3) ?? '';
  const writeMap = () => {
    // With this capacity, one request a minute makes a slot hot.
    const { status, stderr } = spawnSync(process.execPath, [WRITE_HOT_SLOTS, balancer.hotSlots, '1'], {
      env: { ...process.env, CONTROL_URL: product.control, ROWHOUSE_TOKEN: token },
      encoding: 'utf8',
    });
    if (status !== 0 && status !== 3) throw new Error(stderr);
    return readFileSync(balancer.hotSlots, 'utf8');
  };
  for (let index = 0; index < 200; index += 1)
    await send(balancer.url, 'GET', '/v1/-/users?limit=1', { headers: { Authorization: `Bearer ${key}` } });
  const map = await waitFor(
    'the slot is hot',
    async () => [writeMap()].find((text) => text.includes(`${slot} `)),
    { timeoutMs: 120_000, intervalMs: 1_000 },
  );
  balancer.reload();
  const served = await waitFor(
    'both gateways serve it',
    async () => {
      const [counts = []] = await countServed(product, balancer.url, [key]);
      return Math.min(...counts) > 0 ? counts : undefined;
    },
    { timeoutMs: 20_000 },
  );
  return { isMapped: map.includes(`${slot} 2\n`), map: `${map.split('\n').length - 1} slots`, served };
}

/** @param {Product} product @param {string} base @param {readonly string[]} keys */
async function restartInTurn(product, base, keys) {
  /** @type {string[]} */
  const failed = [];
  /** @type {Promise<void>[]} */
  const open = [];
  let isFinished = false;
  const pace = limitPace({
    perSecond: RATE,
    until: () => isFinished,
    fire: (index) => {
      const key = keys[index % keys.length] ?? '';
      open.push(
        send(base, 'GET', `/v1/-/users?limit=${1 + (index % 5)}`, {
          headers: { Authorization: `Bearer ${key}` },
        }).then(
          ({ status }) => void (status === 200 || failed.push(String(status))),
          (/** @type {Error} */ err) => void failed.push(err.message),
        ),
      );
    },
  });
  for (let round = 0; round < RESTARTS; round += 1) {
    for (const name of NAMES) await restart(product, name);
  }
  isFinished = true;
  const { fired } = await pace;
  await Promise.all(open);
  return { sent: fired, failed };
}

/** @param {Product} product @param {string} name */
async function restart(product, name) {
  const pid = product.listProcesses().find((item) => item.name === name)?.pid ?? 0;
  process.kill(pid, 'SIGTERM');
  await waitFor(
    `${name} is another process`,
    async () => ![pid, undefined].includes(product.listProcesses().find((item) => item.name === name)?.pid),
    { timeoutMs: 120_000 },
  );
  await waitFor(
    `${name} is ready`,
    async () => (await fetch(`${product.metricsUrls[name]}/readyz`).catch(() => null))?.status === 200,
    { timeoutMs: 120_000 },
  );
}
