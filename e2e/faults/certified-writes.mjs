// @ts-check
/**
 * Writes the same row at once on two nodes of a cluster: by the data API on one node, and by a direct
 * connection on the other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openApi } from '../support/http.mjs';
import { openAdmin } from './fault-stage.mjs';

const DEADLOCK = 1213;
/** Without a pause, the API would find the row locked every time. */
const PAUSE_MS = 5;

/**
 * @param {{ gateways: readonly string[] }} place
 * @param {import('./fault-stage.mjs').Tenant} tenant
 * @param {import('./fault-stage.mjs').Admin} elsewhere the address of a node that the gateways do not use
 * @param {{ times: number, callers: number }} options `times` counts the writes of each caller
 */
export async function writeFromTwoNodes(place, tenant, elsewhere, { times, callers }) {
  const apis = place.gateways.map((base) => openApi(base, tenant.key));
  const made = await apis[0]?.post('/counters', { value: 0 });
  const id = made?.json?.id;
  if (made?.status !== 201) throw new Error(`no counter: ${made?.status} ${made?.text}`);
  const counts = { sure: 0, open: 0, refused: 0, direct: 0, conflicts: 0 };
  /** @type {string[]} */
  const faults = [];
  let isOver = false;
  const calls = Array.from({ length: callers }, async (_, at) => {
    for (let turn = 0; turn < times; turn += 1) {
      const answer = await apis[at % apis.length]?.call('PATCH', `/counters/${id}`, { body: { value: { $inc: 1 } } });
      if (answer?.status === 200) counts.sure += 1;
      else if (answer?.json?.code === 'db.outcome_unknown') counts.open += 1;
      else if (answer?.status === 503) counts.refused += 1;
      else faults.push(`an increment was answered with ${answer?.status} ${answer?.text.slice(0, 200)}`);
    }
  });
  const direct = openAdmin(elsewhere).then(async (connection) => {
    while (!isOver) {
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
    isOver = true;
  });
  const connection = await direct;
  await connection.query('SET SESSION wsrep_sync_wait = 7');
  const [rows] = await connection.query(`SELECT value FROM ${tenant.schema}.counters WHERE id = ?`, [id]);
  await connection.end();
  const value = Number(/** @type {{ value: number }[]} */ (rows)[0]?.value);
  const least = counts.sure + counts.direct;
  if (value < least || value > least + counts.open) faults.push(`the counter stands at ${value} after ${least} acknowledged increments and ${counts.open} open ones`);
  return { ...counts, value, faults };
}
