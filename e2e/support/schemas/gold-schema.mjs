// @ts-check
/**
 * Sets up the schemas of the gold questions on a started product, and reads rows directly from its server.
 */
import mysql from 'mysql2/promise';
import { deploy, signUp } from '../control.mjs';
import { openApi } from '../http.mjs';
import { waitFor } from '../wait.mjs';

export { readGoldSchemas } from '@rowhouse/testkit';

/** @typedef {import('@rowhouse/testkit').GoldSchema} GoldSchema */

/**
 * Signs up a person with the tables and rows of a schema, and opens a root connection to the server.
 * @param {import('../with-product.mjs').RunningProduct} product
 * @param {GoldSchema} schema
 */
export async function createGoldSchema(product, schema) {
  const user = await signUp(product.control, { name: schema.name, starter: 'empty' });
  await deploy(user, schema.ddl.map((sql) => `${sql};`).join('\n'));
  const api = openApi(product.gateways[0] ?? '', user.key);
  await waitFor(
    'the schema is served',
    async () => (await api.get('/schema')).json?.tables?.length === schema.ddl.length,
  );
  const server = await openServer(product, schema);
  for (const sql of schema.inserts) await server.query(sql);
  return { person: user, api, server };
}

/**
 * Runs a statement directly on the server, and returns its rows in the text form of `writeRows`.
 * @param {import('mysql2/promise').Connection} server
 * @param {string} sql
 */
export async function readGold(server, sql) {
  const [rows] = await server.query(sql);
  return writeRows(/** @type {object[]} */ (rows));
}

/**
 * Formats rows as canonical text. Returns undefined if `rows` is undefined.
 * @param {readonly object[] | undefined} rows
 */
export function writeRows(rows) {
  return JSON.stringify(rows?.map(normaliseRow));
}

/**
 * Connects as root to the newest database with the tables of the schema.
 * @param {import('../with-product.mjs').RunningProduct} product
 * @param {GoldSchema} schema
 */
async function openServer(product, schema) {
  const { host, port, user, password } = product.mysql.admin;
  const table = /TABLE (\w+)/.exec(schema.ddl[0] ?? '')?.[1] ?? '';
  const server = await mysql.createConnection({
    host,
    port,
    user,
    password,
    dateStrings: true,
    supportBigNumbers: true,
  });
  const [found] = await server.query(
    "SELECT table_schema AS name FROM information_schema.tables WHERE table_name = ? AND table_schema LIKE 'p%' AND table_schema NOT LIKE 'performance%'",
    [table],
  );
  const [database] = /** @type {{ name: string }[]} */ (found);
  if (database === undefined) throw new Error(`nobody has a table ${table}`);
  await server.query(`USE \`${database.name}\``);
  return server;
}

/** @param {object} row */
function normaliseRow(row) {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, normalise(value)]));
}

/** Converts numeric texts to numbers, and removes the T from timestamps. @param {unknown} value */
function normalise(value) {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value))
    return Number(Number(value).toPrecision(9));
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
    return value.slice(0, 19).replace('T', ' ');
  return typeof value === 'number' ? Number(value.toPrecision(9)) : value;
}
