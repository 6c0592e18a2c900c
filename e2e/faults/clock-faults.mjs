// @ts-check
/**
 * Runs processes whose clocks are an hour fast or slow, or jump. Keys and leases must still expire by the
 * clock of the platform database.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey, deploy } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { waitFor } from '../support/wait.mjs';
import { claimNone, listFaults, openAdmin, serves, startTenantLoad } from './fault-stage.mjs';

const HOUR_MS = 3_600_000;
const LATE_MAX_MS = 2_000;
const LIFE_MS = 3_000;

/**
 * The shift of each process's clock. Processes jump to each of these shifts while requests run.
 * @type {readonly Record<string, number>[]}
 */
const SHIFTS = [
  { '/gateway/': HOUR_MS, '/migration-worker/': -HOUR_MS, '/control-plane/': 0 },
  { '/gateway/': -HOUR_MS, '/migration-worker/': HOUR_MS, '/control-plane/': 0 },
  { '/gateway/': 0, '/migration-worker/': 0, '/control-plane/': HOUR_MS },
  { '/gateway/': 0, '/migration-worker/': 0, '/control-plane/': -HOUR_MS },
];

/**
 * @param {import('./fault-stage.mjs').FaultEnvironment} environment
 * @param {import('./fault-stage.mjs').Tenant} tenant
 * @param {{ shiftFile: string, perSecond: number, shifts?: number }} options `shiftFile` is the file that
 *   `shift-clock.mjs` reads in every process
 * @returns {Promise<import('./fault-stage.mjs').Outcome>}
 */
export async function runClockFaults(environment, tenant, { shiftFile, perSecond, shifts = SHIFTS.length }) {
  const load = await startTenantLoad(environment, tenant, { perSecond, prefix: 'c' });
  /** @type {string[]} */
  const faults = [];
  /** @type {string[]} */
  const ends = [];
  /** @type {Record<string, number>[]} */
  const figures = [];
  for (const [iteration, shift] of SHIFTS.slice(0, shifts).entries()) {
    writeFileSync(shiftFile, JSON.stringify(shift));
    await waitFor('the clocks are wrong', async () => areWrong(environment, shiftFile, shift));
    const { earlyMs, lateMs, rejectedLateMs, slowestMs } = await waitBeyond(environment, tenant);
    if (earlyMs > 250) ends.push(`${JSON.stringify(shift)}: refused ${earlyMs} ms early`);
    if (lateMs > LATE_MAX_MS) ends.push(`${JSON.stringify(shift)}: accepted ${lateMs} ms late`);
    figures.push({
      early_ms: earlyMs,
      late_ms: lateMs,
      rejected_late_ms: rejectedLateMs,
      slowest_answer_ms: slowestMs,
    });
    // With wrong clocks, sessions stay valid, console keys work, and exactly one worker runs a schema change.
    const session = await tenant.person.control.call(
      'POST',
      `/api/databases/${tenant.person.development.id}/session-key`,
    );
    if (session.status !== 201 && session.status !== 200)
      faults.push(`a session key: ${session.status} ${session.text.slice(0, 200)}`);
    else if (!(await serves(environment.gateways[0] ?? '', session.json.secret)))
      faults.push('a session key is not good');
    const migration = await deploy(
      tenant.person,
      `ALTER TABLE entries ADD COLUMN extra${iteration} VARCHAR(10) NULL`,
    );
    const attempts = await readAttempts(environment, migration.id);
    if (attempts !== 1) faults.push(`a change took ${attempts} attempts`);
  }
  writeFileSync(shiftFile, '{}');
  const requests = load.take();
  const { lost, ghosts } = await load.settle();
  return {
    claims: [
      claimNone(
        `with clocks an hour off, no key expires early, and none is accepted more than ${LATE_MAX_MS} ms late`,
        ends,
        figures
          .map(
            (item) => `${item['late_ms']} ms late, rejection received after ${item['rejected_late_ms']} ms`,
          )
          .join('; '),
      ),
      claimNone(
        'with clocks an hour off, no request fails, no lease is stolen, sessions and changes continue, and nothing is lost',
        [...faults, ...listFaults(requests), ...lost, ...ghosts],
        `of ${requests.length}`,
      ),
    ],
    figures: { shifts: SHIFTS.slice(0, shifts), ends: figures },
  };
}

/**
 * Returns whether every process has applied its shift.
 * @param {import('./fault-stage.mjs').FaultEnvironment} environment
 * @param {string} shiftFile
 * @param {Record<string, number>} shift
 */
function areWrong(environment, shiftFile, shift) {
  return environment.listProcesses().every(({ name, pid }) => {
    const expected = Object.entries(shift).find(([part]) =>
      part.startsWith(`/${name.replace(/-2$/, '')}`),
    )?.[1];
    const file = `${shiftFile}.${pid}`;
    return expected === undefined || (existsSync(file) && readFileSync(file, 'utf8') === String(expected));
  });
}

/**
 * Uses a key that expires in a moment, by the correct time. Returns how long before its expiry a gateway
 * rejects it, and how long after it an accepted request was sent. The time when the rejection arrives is
 * reported separately, because a slow rejection accepts nothing.
 * @param {import('./fault-stage.mjs').FaultEnvironment} environment
 * @param {import('./fault-stage.mjs').Tenant} tenant
 */
async function waitBeyond(environment, { person: user }) {
  const endsMs = Date.now() + LIFE_MS;
  const key = await createKey(user, { name: 'short', expires_at: new Date(endsMs).toISOString() });
  const seen = await Promise.all(
    environment.gateways.map(async (base) => {
      for (let acceptedMs = Number.NEGATIVE_INFINITY, slowestMs = 0; ;) {
        const sentMs = Date.now();
        const { status } = await openApi(base, key.secret).get('/counters?limit=1');
        const receivedMs = Date.now();
        slowestMs = Math.max(slowestMs, receivedMs - sentMs);
        if (status === 401 || receivedMs > endsMs + 30_000)
          return { acceptedMs, refusedMs: receivedMs, slowestMs };
        acceptedMs = sentMs;
        await sleep(20);
      }
    }),
  );
  return {
    earlyMs: Math.max(0, ...seen.map(({ refusedMs: rejectedMs }) => endsMs - rejectedMs)),
    lateMs: Math.max(0, ...seen.map(({ acceptedMs }) => acceptedMs - endsMs)),
    rejectedLateMs: Math.max(...seen.map(({ refusedMs: rejectedMs }) => rejectedMs - endsMs)),
    slowestMs: Math.max(...seen.map(({ slowestMs }) => slowestMs)),
  };
}

/** @param {import('./fault-stage.mjs').FaultEnvironment} environment @param {string} id */
async function readAttempts(environment, id) {
  const platform = await openAdmin(environment.platform);
  const [rows] = await platform.query('SELECT attempt FROM rowhouse_cell.migration WHERE id = ?', [id]);
  await platform.end();
  return /** @type {{ attempt: number }[]} */ (rows)[0]?.attempt;
}
