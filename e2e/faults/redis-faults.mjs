// @ts-check
/**
 * Empties, poisons, stalls and stops Redis under load. Redis holds cached values and notifications, so no
 * request may fail and no row may reach the wrong tenant.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createKey, expectStatus } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { signalProcess, waitForSuccessor } from '../support/processes.mjs';
import { waitFor } from '../support/wait.mjs';
import { summarize } from '../support/write-report.mjs';
import { claimNone, listFaults, longestMs, serves, startTenantLoad, timeUntil } from './fault-stage.mjs';

/**
 * @typedef {import('./fault-stage.mjs').FaultEnvironment} TestEnvironment
 * @typedef {import('./fault-stage.mjs').Tenant} Tenant
 * @typedef {import('./fault-stage.mjs').Outcome} Outcome
 */

const RECORDS = '{c1}:*';
const QUEUE = ':bull:';
/** The size of the huge value in bytes, which is far larger than any real value in Redis. */
const HUGE_BYTES = 64 * 1024 * 1024;
const REVOKED_WITHIN_MS = 2_000;

/** @param {string} url */
function openRedis(url) {
  const redis = new Redis(url, { maxRetriesPerRequest: 3 });
  redis.on('error', () => undefined);
  return redis;
}

/**
 * Empties Redis again and again while requests run.
 * @param {TestEnvironment} environment
 * @param {Tenant} tenant
 * @param {{ times: number, perSecond: number }} options
 * @returns {Promise<Outcome>}
 */
export async function runFlushes(environment, tenant, { times, perSecond }) {
  const load = await startTenantLoad(environment, tenant, { perSecond, prefix: 'f' });
  const redis = openRedis(environment.redisUrl);
  for (let iteration = 0; iteration < times; iteration += 1) {
    await redis.flushall();
    await sleep(300);
  }
  redis.disconnect();
  const requests = load.take();
  const { lost, ghosts } = await load.settle();
  return {
    claims: [
      claimNone(
        `when Redis is emptied ${times} times, no request fails and nothing is lost`,
        [...listFaults(requests), ...lost, ...ghosts],
        `of ${requests.length}`,
      ),
    ],
    figures: { requests: requests.length, longest_ms: longestMs(requests) },
  };
}

/**
 * Replaces each value in Redis that a gateway reads by one of another tenant, garbage, a huge value or
 * another type. Restarted gateways have empty caches and must read it.
 * @param {TestEnvironment} environment
 * @param {readonly [Tenant, Tenant]} tenants
 * @param {{ perSecond: number, poisons?: readonly string[] }} options
 * @returns {Promise<Outcome>}
 */
export async function runPoison(environment, tenants, { perSecond, poisons = Object.keys(POISONS) }) {
  const loads = await Promise.all(
    tenants.map((tenant, index) =>
      startTenantLoad(environment, tenant, { perSecond: perSecond / 2, prefix: `p${index}-` }),
    ),
  );
  const redis = openRedis(environment.redisUrl);
  /** @type {string[]} */
  const faults = [];
  /** @type {Record<string, { values: number, warm_ms: number }>} */
  const figures = {};
  for (const name of poisons) {
    const values = await poison(redis, name);
    const restarts = [];
    for (const [index, base] of environment.gateways.entries()) {
      const process = index === 0 ? 'gateway' : 'gateway-2';
      // Restart one gateway, because the others serve their caches and do not read the poisoned values.
      await waitForSuccessor(environment, process, await signalProcess(environment, process));
      await poison(redis, name);
      restarts.push(
        await timeUntil(
          `${base} serves`,
          async () => (await serves(base, tenants[0].key)) && serves(base, tenants[1].key),
        ),
      );
    }
    // Values written since then are poisoned too, while the load goes on for a moment.
    await poison(redis, name);
    await sleep(300);
    for (const load of loads)
      faults.push(
        ...listFaults(load.take(), (item) => item.status === 0).map((fault) => `${name}: ${fault}`),
      );
    figures[name] = { values, warm_ms: Math.max(...restarts) };
    await redis.flushall();
  }
  redis.disconnect();
  const settled = await Promise.all(loads.map((load) => load.settle()));
  for (const { lost, ghosts } of settled) faults.push(...lost, ...ghosts);
  return {
    claims: [
      claimNone(
        'when Redis is poisoned while gateways start, no request fails or returns a row of another tenant, and nothing is lost',
        faults,
        `${poisons.join(', ')}: ${settled.reduce((sum, { acknowledged }) => sum + acknowledged, 0)} acknowledged writes`,
      ),
    ],
    figures,
  };
}

/**
 * @type {Record<string, (values: readonly (readonly [string, Buffer])[]) => (readonly [string, Buffer])[]>}
 */
const POISONS = {
  'of another tenant': (values) => values.map(([name], index) => [name, sameKind(values, name, index)]),
  garbage: (values) => values.map(([name, value]) => [name, randomBytes(Math.max(40, value.length))]),
  'cut off': (values) =>
    values.map(([name, value]) => [name, value.subarray(0, Math.floor(value.length / 2))]),
  huge: (values) =>
    values.map(([name], index) => [name, index === 0 ? Buffer.alloc(HUGE_BYTES, 'x') : Buffer.from('x')]),
  'of another type': (values) => values.map(([name]) => [name, LIST]),
};
const LIST = Buffer.from('a list instead');

/**
 * Returns the next value of the same kind, such as another `{c1}:db:…`.
 * @param {readonly (readonly [string, Buffer])[]} values
 * @param {string} name
 * @param {number} index
 */
function sameKind(values, name, index) {
  const kind = name.split(':')[1];
  const others = values.filter(([other]) => other.split(':')[1] === kind && other !== name);
  return others[index % Math.max(1, others.length)]?.[1] ?? Buffer.from('{}');
}

/** @param {Redis} redis @param {string} name */
async function poison(redis, name) {
  const names = (await redis.keys(RECORDS)).filter((key) => !key.includes(QUEUE));
  /** @type {[string, Buffer][]} */
  const values = [];
  for (const key of names) {
    const value = (await redis.type(key)) === 'string' ? await redis.getBuffer(key) : null;
    if (value !== null) values.push([key, value]);
  }
  for (const [key, value] of POISONS[name]?.(values) ?? []) {
    await redis.del(key);
    if (value === LIST) await redis.rpush(key, 'x');
    else await redis.set(key, value, 'EX', 600);
  }
  // Also publishes messages without a valid signature: a forged change, and texts that are not messages.
  for (const text of ['{"seq":999999999,"database_id":"db_x","kind":"move","version":1}', 'nothing', ''])
    await redis.publish('{c1}:changes', text);
  return values.length;
}

/**
 * Stalls Redis for a while, so that it accepts connections and answers nothing, then stops it for a long
 * time. Requests still succeed, and revoked keys are still rejected.
 * @param {TestEnvironment & { redis: NonNullable<import('../support/with-product.mjs').RunningProduct['redis']> }} environment
 * @param {Tenant} tenant
 * @param {{ absentMs: number, perSecond: number, revocations: number }} options
 * @returns {Promise<Outcome>}
 */
export async function runAbsence(environment, tenant, { absentMs, perSecond, revocations }) {
  const load = await startTenantLoad(environment, tenant, { perSecond, prefix: 'a' });
  process.kill(environment.redis.pid(), 'SIGSTOP');
  await sleep(Math.min(5_000, absentMs));
  const silent = load.take();
  process.kill(environment.redis.pid(), 'SIGCONT');
  await environment.redis.kill();
  const endMs = performance.now() + absentMs;
  const revoked = [];
  while (revoked.length < revocations || performance.now() < endMs) {
    revoked.push(await revokeOne(environment, tenant));
    await sleep(Math.min(absentMs / revocations, Math.max(0, endMs - performance.now())));
  }
  const removed = load.take();
  await environment.redis.start();
  const backMs = await timeUntil('a key that is new is known', () => newKeyServes(environment, tenant));
  await sleep(300);
  const after = load.take();
  const { lost, ghosts } = await load.settle();
  const late = revoked
    .filter(({ refusedMs: rejectedMs }) => rejectedMs > REVOKED_WITHIN_MS)
    .map(({ refusedMs: rejectedMs }) => `${rejectedMs} ms`);
  return {
    claims: [
      claimNone(
        `when Redis stalls and is then down for ${Math.round(absentMs / 1_000)} s, no request fails and nothing is lost`,
        [...listFaults([...silent, ...removed, ...after]), ...lost, ...ghosts],
        `of ${silent.length + removed.length + after.length}; the longest took ${longestMs([...silent, ...removed])} ms`,
      ),
      claimNone(
        `without Redis, a revoked key is rejected within ${REVOKED_WITHIN_MS} ms`,
        late,
        `${revoked.length} revocations, ${summarize(revoked.map(({ refusedMs: rejectedMs }) => rejectedMs)).max} ms at most`,
      ),
    ],
    figures: {
      requests_silent: silent.length,
      requests_gone: removed.length,
      longest_ms: { silent: longestMs(silent), gone: longestMs(removed), after: longestMs(after) },
      refused_after_ms: summarize(revoked.map(({ refusedMs: rejectedMs }) => rejectedMs)),
      revocation_answer_ms: summarize(revoked.map(({ answerMs }) => answerMs)),
      back_ms: backMs,
    },
  };
}

/**
 * Revokes a key that every gateway has cached, and returns how long it takes until each rejects it.
 * @param {TestEnvironment} environment
 * @param {Tenant} tenant
 */
async function revokeOne(environment, { person: user }) {
  const key = await createKey(user, { name: 'to be revoked' });
  for (const base of environment.gateways)
    await waitFor(`${base} knows the key`, () => serves(base, key.secret));
  const requestedMs = performance.now();
  expectStatus(await user.control.call('DELETE', `/api/keys/${key.id}`), [200, 204], 'revoke');
  const answeredMs = performance.now();
  const times = await Promise.all(
    environment.gateways.map((base) =>
      timeUntil(
        `${base} refuses the key`,
        async () => (await openApi(base, key.secret).get('/counters?limit=1')).status === 401,
        answeredMs,
      ),
    ),
  );
  return { answerMs: Math.round(answeredMs - requestedMs), refusedMs: Math.max(...times) };
}

/** @param {TestEnvironment} environment @param {Tenant} tenant */
async function newKeyServes(environment, { person: user }) {
  const key = await createKey(user, { name: 'new' });
  return serves(environment.gateways[0] ?? '', key.secret);
}
