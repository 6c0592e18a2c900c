// @ts-check
/**
 * Stalls, restarts, fills and slows down the database server of a tenant, or turns it read-only. Only this
 * tenant is affected, and the error names the reason.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SESSIONS } from '@rowhouse/local/servers/mysql-admin';
import {
  claimNone,
  countAnswers,
  listFaults,
  longestMs,
  openAdmin,
  serves,
  startTenantLoad,
  takesWrites,
  timeUntil,
} from './fault-stage.mjs';

/**
 * @typedef {import('./fault-stage.mjs').FaultEnvironment} TestEnvironment
 * @typedef {import('./fault-stage.mjs').Tenant} Tenant
 * @typedef {import('./second-server.mjs').SecondServer} SecondServer
 * @typedef {import('./ledger-client.mjs').Asked} Asked
 * @typedef {(context: { environment: TestEnvironment, second: SecondServer, victim: Tenant, stallMs: number }) => Promise<{ recoveredMs: number }>}
 *   Act resolves when the server works and serves again
 * @typedef {{ claim: string, act: Act, allows: readonly string[], longestMs: number, mustSee?: string }}
 *   ServerFault `allows` lists codes that the tenant may get during the fault; `mustSee` is one that must
 *   occur
 */

const AWAY = [
  'db.unavailable',
  'db.outcome_unknown',
  'db.timeout',
  'limit.statement_time',
  'limit.busy',
  'limit.concurrency',
];
/** A statement may run for 10 s. The time to get a connection and to notice the timeout is added. */
const STALL_LONGEST_MS = 12_500;
const RECOVERED_MS = 500;

/** @type {Record<string, ServerFault>} */
const FAULTS = {
  stalled: {
    claim: 'stalled (SIGSTOP)',
    allows: AWAY,
    longestMs: STALL_LONGEST_MS,
    async act({ environment, second, victim, stallMs }) {
      second.pause();
      await sleep(stallMs);
      second.resume();
      return timeBack(environment, victim);
    },
  },
  restarted: {
    claim: 'restarted properly',
    allows: AWAY,
    longestMs: STALL_LONGEST_MS,
    async act({ environment, second, victim }) {
      await second.restart();
      return timeBack(environment, victim);
    },
  },
  'read-only': {
    claim: 'turned read-only',
    allows: AWAY,
    longestMs: 2_000,
    mustSee: 'db.unavailable',
    async act({ environment, second, victim, stallMs }) {
      const admin = await openAdmin(second.admin);
      await admin.query('SET GLOBAL read_only = 1');
      await sleep(Math.min(2_000, stallMs));
      // Reads are served all the time.
      for (const base of environment.gateways)
        if (!(await serves(base, victim.key)))
          throw new Error(`${base} does not read from a server that is read-only`);
      await admin.query('SET GLOBAL read_only = 0');
      await admin.end();
      return timeBack(environment, victim);
    },
  },
  'at its connection limit': {
    claim: 'at its connection limit',
    allows: AWAY,
    longestMs: STALL_LONGEST_MS,
    mustSee: 'limit.busy',
    async act({ environment, second, victim, stallMs }) {
      const admin = await openAdmin(second.admin);
      await admin.query('SET GLOBAL max_connections = 12');
      const held = [];
      // End the gateways' sessions and occupy all connections, so that the gateways cannot open new sessions.
      for (let iteration = 0; iteration < 3; iteration += 1) {
        const [rows] = await admin.query(
          `SELECT ID AS id FROM ${SESSIONS} WHERE USER NOT IN ('root', 'system user')`,
        );
        for (const { id } of /** @type {{ id: number }[]} */ (rows))
          await admin.query(`KILL ${id}`).catch(() => undefined);
        for (
          let connection = await openAdmin(second.admin).catch(() => null);
          connection !== null;
          connection = await openAdmin(second.admin).catch(() => null)
        )
          held.push(connection);
      }
      await sleep(Math.min(2_000, stallMs));
      for (const connection of held) connection.destroy();
      await admin.query('SET GLOBAL max_connections = 1000');
      await admin.end();
      return timeBack(environment, victim);
    },
  },
  'far away': {
    claim: 'with a network delay of 100 ms each way',
    allows: ['limit.busy', 'limit.concurrency'],
    longestMs: 10_000,
    async act({ second, environment, victim, stallMs }) {
      second.wire.slow(100);
      await sleep(stallMs);
      second.wire.slow(0);
      return timeBack(environment, victim);
    },
  },
  'half open': {
    claim: 'with a network that drops everything',
    allows: AWAY,
    longestMs: STALL_LONGEST_MS,
    async act({ second, environment, victim, stallMs }) {
      second.wire.stall();
      await sleep(stallMs);
      second.wire.open();
      return timeBack(environment, victim);
    },
  },
};

/**
 * Returns the time from the end of the fault until the tenant's requests succeed.
 * @param {TestEnvironment} environment
 * @param {Tenant} victim
 */
async function timeBack(environment, victim) {
  const startMs = performance.now();
  const times = await Promise.all(
    environment.gateways.map((base) =>
      timeUntil(
        `${base} serves`,
        async () => (await serves(base, victim.key)) && takesWrites(base, victim.key),
        startMs,
      ),
    ),
  );
  return { recoveredMs: Math.max(...times) };
}

/**
 * @param {TestEnvironment} environment
 * @param {SecondServer} second
 * @param {{ victim: Tenant, bystander: Tenant }} tenants
 * @param {{ perSecond: number, stallMs: number, only?: readonly string[] }} options
 * @returns {Promise<import('./fault-stage.mjs').Outcome>}
 */
export async function runServerFaults(
  environment,
  second,
  { victim, bystander },
  { perSecond, stallMs, only = Object.keys(FAULTS) },
) {
  const loads = {
    victim: await startTenantLoad(environment, victim, { perSecond: perSecond / 2, prefix: 's' }),
    bystander: await startTenantLoad(environment, bystander, { perSecond: perSecond / 2, prefix: 'b' }),
  };
  /** @type {import('./fault-stage.mjs').Claim[]} */
  const claims = [];
  /** @type {Record<string, unknown>} */
  const figures = {};
  for (const name of only) {
    const fault = FAULTS[name];
    if (fault === undefined) throw new Error(`no fault ${name}; there are ${Object.keys(FAULTS).join(', ')}`);
    loads.victim.take();
    loads.bystander.take();
    const { recoveredMs } = await fault.act({ environment, second, victim, stallMs });
    await sleep(300);
    const [hit, alongside] = [loads.victim.take(), loads.bystander.take()];
    const wrong = listFaults(hit, (item) => fault.allows.includes(item.code));
    const isSeen = fault.mustSee === undefined || hit.some(({ code }) => code === fault.mustSee);
    claims.push(
      claimNone(
        `server ${fault.claim}: its tenant gets the right error within ${fault.longestMs} ms`,
        [
          ...wrong,
          ...(longestMs(hit) > fault.longestMs ? [`one took ${longestMs(hit)} ms`] : []),
          ...(isSeen ? [] : [`no ${fault.mustSee}`]),
        ],
        JSON.stringify(countAnswers(hit)),
      ),
      claimNone(
        `server ${fault.claim}: the tenant of another server is not affected`,
        listFaults(alongside),
        `of ${alongside.length}`,
      ),
      {
        claim: `server ${fault.claim}: the tenant is served again within ${RECOVERED_MS} ms`,
        holds: recoveredMs <= RECOVERED_MS,
        found: `${recoveredMs} ms`,
      },
    );
    figures[name] = {
      answers: countAnswers(hit),
      longest_ms: longestMs(hit),
      bystander_longest_ms: longestMs(alongside),
      recovered_ms: recoveredMs,
    };
    console.log(`${name}: ${JSON.stringify(figures[name])}`);
  }
  for (const [who, load] of Object.entries(loads)) {
    const { lost, ghosts, acknowledged, open } = await load.settle();
    claims.push(
      claimNone(
        `afterwards the ${who} has every acknowledged write and no rejected one`,
        [...lost, ...ghosts],
        `${acknowledged} acknowledged, ${open} left open`,
      ),
    );
  }
  return { claims, figures };
}
