// @ts-check
import { sendWrite } from './once-writes.mjs';

/** @typedef {import('./once-writes.mjs').Outcome} Outcome */

/**
 * Lists what is wrong, as sentences: effects that did not happen exactly once, and responses that differ from
 * the stored ones.
 * @param {object} context
 * @param {import('mysql2/promise').Connection} context.admin
 * @param {string} context.schema the schema of the tenant
 * @param {readonly string[]} context.gateways
 * @param {string} context.apiKey
 * @param {readonly Outcome[]} outcomes
 * @returns {Promise<{ effects: string[], answers: string[] }>}
 */
export async function checkOnce({ admin, schema, gateways, apiKey }, outcomes) {
  const found = await countEffects(admin, schema);
  const stored = await readStored(admin, schema);
  /** @type {string[]} */
  const effects = [];
  /** @type {string[]} */
  const answers = [];
  for (const [index, { write, answer: response }] of outcomes.entries()) {
    for (const [table, expected] of Object.entries(write.effect)) {
      const count =
        table === 'counter'
          ? (found.counters.get(write.counter) ?? -1)
          : (found.rows.get(`${table} ${write.key}`) ?? 0);
      if (count !== expected)
        effects.push(`${write.kind} ${write.key}: ${table} ${count} instead of ${expected}`);
    }
    const record = stored.get(write.key);
    if (record === undefined || record.status !== response.status || record.body !== response.text)
      answers.push(`${write.kind} ${write.key}: the stored response differs`);
    for (const [name, value] of Object.entries(record?.headers ?? {}))
      if (String(response.headers[name.toLowerCase()]) !== value)
        answers.push(`${write.kind} ${write.key}: ${name} differs from the stored one`);
    const secondResponse = await sendWrite(gateways[index % gateways.length] ?? '', apiKey, write);
    if (
      secondResponse.status !== response.status ||
      secondResponse.text !== response.text ||
      secondResponse.headers['idempotent-replayed'] !== 'true'
    )
      answers.push(
        `${write.kind} ${write.key}: a repeated request returns ${secondResponse.status} ` +
          `${secondResponse.text.slice(0, 100)}`,
      );
  }
  return { effects, answers };
}

/** @param {import('mysql2/promise').Connection} admin @param {string} schema */
async function countEffects(admin, schema) {
  /** @type {Map<string, number>} */
  const rows = new Map();
  for (const [table, column] of [
    ['effects', 'mark'],
    ['parents', 'mark'],
    ['children', 'mark'],
    ['named', 'name'],
  ]) {
    const [counts] = await admin.query(
      `SELECT ${column} AS mark, COUNT(*) AS count FROM ${schema}.${table} GROUP BY ${column}`,
    );
    for (const { mark, count } of /** @type {{ mark: string, count: number }[]} */ (counts))
      rows.set(`${table} ${mark}`, Number(count));
  }
  const [values] = await admin.query(`SELECT id, value FROM ${schema}.counters`);
  return {
    rows,
    counters: new Map(
      /** @type {{ id: number, value: number }[]} */ (values).map(({ id, value }) => [id, value]),
    ),
  };
}

/** @param {import('mysql2/promise').Connection} admin @param {string} schema */
async function readStored(admin, schema) {
  const [rows] = await admin.query(
    `SELECT idempotency_key AS name, status, headers, body FROM ${schema}s.idempotency`,
  );
  return new Map(
    /** @type {{ name: string, status: number, headers: string, body: Buffer | null }[]} */ (rows).map(
      (row) => [
        row.name,
        {
          status: Number(row.status),
          headers: /** @type {Record<string, string>} */ (JSON.parse(row.headers).headers),
          body: row.body === null ? '' : row.body.toString('utf8'),
        },
      ],
    ),
  );
}
