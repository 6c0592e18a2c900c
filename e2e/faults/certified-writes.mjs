// @ts-check
/**
 * Writes the same row at once on two nodes of a cluster: by the data API on one node, and by a direct
 * connection on the other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openApi } from '../support/http.mjs';
import { openAdmin } from './fault-stage.mjs';

const DEADLOCK = 1213;
/**
 * The pause between two writes, in milliseconds. If a client wrote without pausing, the API would find the
 * row locked each time.
 */
const PAUSE_MS = 5;

/**
 * @param {{ gateways: readonly string[] }} environment
 * @param {import('./fault-stage.mjs').Tenant} tenant
 * @param {import('./fault-stage.mjs').Admin} otherServer the address of a node that the gateways do not use
 * @param {{ times: number, callers: number }} options `times` counts the writes of each caller
 */
export async function writeFromTwoNodes(environment, tenant, otherServer, { times, callers }) {
  const apis = environment.gateways.map((base) => openApi(base, tenant.key));
  const created = await apis[0]?.post('/counters', { value: 0 });
  const id = created?.json?.id;
  if (created?.status !== 201) throw new Error(`no counter: ${created?.status} ${created?.text}`);
  const counts = { sure: 0, open: 0, refused: 0, direct: 0, conflicts: 0 };
  /** @type {string[]} */
  const faults = [];
  let isFinished = false;
  const calls = Array.from({ length: callers }, async (_, index) => {
    for (let iteration = 0; iteration < times; iteration += 1) {
      const response = await apis[index % apis.length]?.call('PATCH', `/counters/${id}`, {
        body: { value: { $inc: 1 } },
      });
      if (response?.status === 200) counts.sure += 1;
      else if (response?.json?.code === 'db.outcome_unknown') counts.open += 1;
      else if (response?.status === 503) counts.refused += 1;
      else faults.push(`an increment was answered with ${response?.status} ${response?.text.slice(0, 200)}`);
    }
  });
  const direct = openAdmin(otherServer).then(async (connection) => {
    while (!isFinished) {
      try {
        await connection.query(`UPDATE ${tenant.schema}.counters SET value = value + 1 WHERE id = ?`, [id]);
        counts.direct += 1;
        await sleep(PAUSE_MS);
      } catch (err) {
        if (/** @type {{ errno?: number }} */ (err).errno !== DEADLOCK) throw err;
        counts.conflicts += 1;
      }
    }
    return connection;
  });
  await Promise.all(calls).finally(() => {
    isFinished = true;
  });
  const connection = await direct;
  await connection.query('SET SESSION wsrep_sync_wait = 7');
  const [rows] = await connection.query(`SELECT value FROM ${tenant.schema}.counters WHERE id = ?`, [id]);
  await connection.end();
  const value = Number(/** @type {{ value: number }[]} */ (rows)[0]?.value);
  const minimum = counts.sure + counts.direct;
  if (value < minimum || value > minimum + counts.open)
    faults.push(
      `the counter stands at ${value} after ${minimum} acknowledged increments and ${counts.open} open ones`,
    );
  return { ...counts, value, faults };
}
