// @ts-check
/**
 * Lets one tenant overload what it shares with another, in every way that its key allows. It compares the
 * other's latency with its latency next to a plain process that burns as many cores.
 *
 * Options: `--seconds 6`, `--clients 64`, `--rate 100`, `--rounds 10`, `--only lists,writes`.
 */
import { readCpuMs } from '../../../bench/lib/cpu-time.mjs';
import { createKey, expectStatus, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { pidOf } from '../../support/processes.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { burnCores, forSeconds, readSteadily } from './parts/neighbor.mjs';
import { overloads } from './parts/overloads.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';
import { startNoise } from './parts/start-noise.mjs';
import { createUsers } from './parts/create-users.mjs';

const SECONDS = readCount('seconds', 6);
const CLIENTS = readCount('clients', 64);
const RATE = readCount('rate', 100);
const ROUNDS = readCount('rounds', 10);
const ONLY = readWords('only');
const ALONE_SECONDS = 10;
const RATIO_MAX = 1.5;
/**
 * Error codes that the overloading tenant may get: too many requests at once, too many for its account, or a
 * request that takes too long.
 */
const REFUSALS = [
  'limit.concurrency',
  'limit.busy',
  'limit.rate',
  'limit.streams',
  'limit.statement_time',
  'limit.query_cost',
  'query.timeout',
  'db.deadlock',
  'db.unavailable',
];

await runSuite(() =>
  withProduct({ gateways: 1, extraEnv: { ROWHOUSE_ENV: 'test' } }, async (product) => {
    const [base = ''] = product.gateways;
    const [verbose, quiet] = [await openTenant(product, 'loud'), await openTenant(product, 'quiet')];
    const { secret } = await createKey(quiet.person, { name: 'reader', scopes: ['read'] });
    await waitFor(
      'the key is known',
      async () => (await openApi(base, secret).get('/users/1')).status === 200,
    );
    const read = (/** @type {() => boolean} */ until) =>
      readSteadily({ base, key: secret, perSecond: RATE, until });
    const pids = ['gateway', 'mysql'].map((name) => pidOf(product, name) ?? 0);
    /**
     * Returns the number of cores that the product and the overloading clients use during `callback`.
     * @template T
     * @param {() => Promise<T>} callback
     * @param {number[]} others
     */
    const measure = async (callback, others = []) => {
      const burnt = () => [...pids, ...others].reduce((sum, pid) => sum + (readCpuMs(pid) ?? Number.NaN), 0);
      const [startMs, before] = [performance.now(), burnt()];
      const result = await callback();
      return { result, cores: (burnt() - before) / (performance.now() - startMs) };
    };
    await read(forSeconds(2));
    const alone = await measure(() => read(forSeconds(ALONE_SECONDS)));
    /** @type {import('../../support/write-report.mjs').Report['claims']} */
    const claims = [];
    /** @type {Record<string, unknown>} */
    const figures = { alone: summarize(alone.result.latencies), alone_cores: alone.cores };
    for (const name of Object.keys(overloads).filter((item) => ONLY?.includes(item) ?? true)) {
      const rounds = [];
      /** @type {{ noisy: number[], plain: number[] }} */
      const { noisy, plain } = { noisy: [], plain: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        const noise = await startNoise({
          base,
          key: verbose.person.key,
          name,
          clients: CLIENTS,
          refusals: REFUSALS,
        });
        const alongside = await measure(() => read(forSeconds(SECONDS)), [noise.pid]);
        const { answers, strange } = await noise.stop();
        const cores = Math.max(0, alongside.cores - alone.cores);
        const stopBurning = burnCores(cores);
        const burdened = await read(forSeconds(SECONDS)).finally(stopBurning);
        noisy.push(...alongside.result.latencies);
        plain.push(...burdened.latencies);
        rounds.push({
          noisy: summarize(alongside.result.latencies),
          plain: summarize(burdened.latencies),
          failed: alongside.result.failed + burdened.failed,
          cores,
          answers,
          strange,
        });
      }
      const all = {
        noisy: summarize(noisy),
        plain: summarize(plain),
        cores: rounds.reduce((sum, item) => sum + item.cores, 0) / ROUNDS,
      };
      const ratio = all.noisy.p99 / all.plain.p99;
      const apart = rounds.map((item) => item.noisy.p99 / item.plain.p99).sort((a, b) => a - b);
      console.log(
        `${name}: ${JSON.stringify(all)}, by rounds ${apart.map((item) => item.toFixed(2)).join(' ')}`,
      );
      const failed = rounds.reduce((sum, item) => sum + item.failed, 0);
      const strange = rounds.flatMap((item) => item.strange);
      claims.push(
        {
          claim:
            `${name}: the p99 of the neighbor is within ${RATIO_MAX} times its p99 next to a plain ` +
            'process that uses as many cores',
          holds: ratio <= RATIO_MAX,
          found: `${ratio.toFixed(2)}: ${all.noisy.p99} ms and ${all.plain.p99} ms at ${all.cores.toFixed(1)} cores; single rounds ${apart[0]?.toFixed(2)} to ${apart.at(-1)?.toFixed(2)}`,
        },
        { claim: `${name}: no request of the neighbor fails`, holds: failed === 0, found: String(failed) },
        {
          claim: `${name}: each request of the overloading tenant is served or rejected with a limit`,
          holds: strange.length === 0,
          found: strange.slice(0, 3).join('; ') || JSON.stringify(rounds[0]?.answers),
        },
      );
      figures[name] = { all, rounds };
    }
    return {
      suite: 'noisy-neighbour',
      title: `Latency of a tenant while another tenant has ${CLIENTS} constantly active clients`,
      command: `pnpm test:long noisy-neighbour${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
      seed: null,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: ONLY === undefined ? [] : ['the cases that the options omit'],
      claims,
      notes: [
        `The neighbor reads one record at a time in an open loop of ${RATE}/s on the same gateway ` +
          `and server. Overload and plain CPU use take turns, ${ROUNDS} rounds of ${SECONDS} s each, ` +
          'because the speed of the machine varies. The 99th percentiles cover all rounds together. ' +
          'The plain process uses as many cores as the gateway, the server and the overloading ' +
          'clients, which are a separate process on the same machine.',
      ],
      figures,
    };
  }),
);

/** @param {import('../../support/with-product.mjs').RunningProduct} product @param {string} name */
async function openTenant(product, name) {
  const user = await signUp(product.control, { name });
  const api = openApi(product.gateways[0] ?? '', user.key);
  await createUsers(api);
  expectStatus(
    await api.post(
      '/posts',
      Array.from({ length: 5_000 }, (_, index) => ({
        title: `title ${index % 100}`,
        content: `text ${'x'.repeat(100)} ${index}`,
        user_id: 1 + (index % 40),
      })),
    ),
    [201],
    'posts',
  );
  return { person: user, api };
}
