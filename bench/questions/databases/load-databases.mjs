// @ts-check
import { introspectSchema } from '@rowhouse/mysql';
import { createConnection } from 'mysql2/promise';
import { nameSnapshot } from '@rowhouse/schema-model';
import { writeNamesExactly } from './gold-literals.mjs';
import { makeDatabase } from './make-database.mjs';

/**
 * @typedef {import('./training-set.mjs').TrainingDatabase} TrainingDatabase
 * @typedef {import('@rowhouse/schema-model').Snapshot} Snapshot
 * @typedef {{ table: string, column: string, values: string[] }} ColumnValues
 * @typedef {{ name: string, isHeldOut: boolean, snapshot: Snapshot, values: ColumnValues[], gold: (string[][]
 *   | null)[] }} LoadedDatabase
 */

const VALUES_MAX = 1_000;

/**
 * Creates the database on the server, introspects it, collects
 * the values of its text columns and runs the gold queries.
 * @param {import('@rowhouse/mysql').AdminConnection} connection
 * @param {import('mysql2/promise').Connection} reader runs the queries
 * @param {TrainingDatabase} database
 * @param {number} [seed] the seed of the rows
 * @returns {Promise<LoadedDatabase>}
 */
export async function loadDatabase(connection, reader, database, seed) {
  const name = toDatabaseName(database);
  const created = makeDatabase(database, seed);
  await connection.run(`DROP DATABASE IF EXISTS \`${name}\``);
  await connection.run(`CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  await connection.run(`USE \`${name}\``);
  await connection.run('SET foreign_key_checks = 0');
  for (const sql of created.statements) {
    await connection.run(sql).catch(async (/** @type {unknown} */ err) => {
      // A foreign key between columns of different types is skipped.
      if (!sql.startsWith('CREATE TABLE')) throw err;
      await connection.run(
        sql.replace(/, KEY \(`[^`]+`\), CONSTRAINT .*?REFERENCES `[^`]+` \(`[^`]+`\)/g, ''),
      );
    });
  }
  const tables = await introspectSchema(connection, name, 'mariadb');
  const snapshot = nameSnapshot({ engine: 'mariadb', tables }, null);
  const values = await readColumnValues(connection, snapshot);
  const gold = [];
  for (const { sql } of database.questions)
    gold.push(await runQuery(reader, name, writeNamesExactly(database.schema, sql)));
  return { name, isHeldOut: database.isHeldOut, snapshot, values, gold };
}

/**
 * Creates the database of a complete set with schema, rows and questions. The caller drops it.
 * @param {import('@rowhouse/mysql').AdminConnection} connection
 * @param {import('../invented/rows.mjs').InventedSet} set
 * @returns {Promise<string>} the name of the database, which is selected
 * @throws {Error} when the server rejects a statement
 */
export async function loadWritten(connection, { name, statements }) {
  const database = `q_written_${name.replaceAll(' ', '_')}`;
  await connection.run(`DROP DATABASE IF EXISTS \`${database}\``);
  await connection.run(`CREATE DATABASE \`${database}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  await connection.run(`USE \`${database}\``);
  for (const sql of statements) await connection.run(sql);
  return database;
}

/**
 * Returns the values of the text columns of the selected database.
 * @param {import('@rowhouse/mysql').AdminConnection} connection
 * @param {Snapshot} snapshot
 * @returns {Promise<ColumnValues[]>}
 */
export async function readColumnValues(connection, snapshot) {
  /** @type {ColumnValues[]} */
  const values = [];
  for (const table of snapshot.tables) {
    for (const column of table.columns.filter((entry) => entry.valueKind === 'string')) {
      const rows = await connection.rows(
        `SELECT DISTINCT \`${column.name}\` AS v FROM \`${table.name}\` WHERE \`${column.name}\` IS NOT NULL LIMIT ${VALUES_MAX}`,
      );
      values.push({ table: table.name, column: column.name, values: rows.map((row) => String(row['v'])) });
    }
  }
  return values;
}

/** @param {TrainingDatabase} database */
export function toDatabaseName({ schema }) {
  return `q_${schema.db_id.toLowerCase()}`.slice(0, 60);
}

/**
 * Opens a session without strict SQL modes, because some gold queries fail under them.
 * @param {{ host: string, port: number, user: string, password: string }} server
 */
export async function openReader({ host, port, user, password }) {
  const reader = await createConnection({
    host,
    port,
    user,
    password,
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
  });
  await reader.query("SET SESSION sql_mode = '', max_statement_time = 5, sql_select_limit = 5000");
  return reader;
}

/**
 * @param {import('mysql2/promise').Connection} reader
 * @param {string} database
 * @param {string} sql
 * @param {readonly unknown[]} [params]
 * @returns {Promise<string[][] | null>} null when the server rejects the query
 */
export async function runQuery(reader, database, sql, params = []) {
  try {
    await reader.query(`USE \`${database}\``);
    const [rows] = await reader.query(sql, [...params]);
    return /** @type {unknown[][]} */ (rows).map((row) => row.map(toText));
  } catch {
    return null;
  }
}

/** @param {unknown} value */
function toText(value) {
  if (value === null) return '\u0000';
  if (value instanceof Date) return value.toISOString();
  const number =
    typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
      ? Number(value)
      : Number.NaN;
  return Number.isFinite(number)
    ? String(Math.round(number * 1e4) / 1e4)
    : String(value).trim().toLowerCase();
}
