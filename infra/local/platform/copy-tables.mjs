import { createHash } from 'node:crypto';

/** Rows are sent in statements of about this size. */
const BATCH_BYTES = 1 << 20;
const BATCH_ROWS = 500;
/**
 * A row above this size is sent as parameters. As SQL text, it could double in size and exceed
 * `max_allowed_packet`.
 */
const TEXT_ROW_BYTES_MAX = 4 << 20;

/**
 * Settings under which the session copies values unchanged: no time zone conversion, no rounding and no
 * automatic ids.
 */
const SESSION =
  "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO', foreign_key_checks = 0";

/**
 * @typedef {import('mysql2/promise').Connection} Connection
 * @typedef {object} Column
 * @property {string} name
 * @property {'binary' | 'json' | 'text'} kind how its bytes are read; numbers and times count as text
 * @typedef {object} Digest identifies the rows of a table, whatever their order
 * @property {number} rows
 * @property {string} sum hex; equal for equal rows
 */

/** @param {Connection} connection */
export async function prepareCopySession(connection) {
  await connection.query(SESSION);
}

/**
 * Lists the tables of a schema, by name.
 * @param {Connection} connection
 * @param {string} schema
 * @returns {Promise<{name: string, isTable: boolean}[]>} includes views, with `isTable: false`
 */
export async function listTables(connection, schema) {
  const sql =
    'SELECT TABLE_NAME AS name, TABLE_TYPE AS type FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? ORDER BY 1';
  const rows = await readRows(connection, sql, [schema]);
  return rows.map(({ name, type }) => ({ name: String(name), isTable: type === 'BASE TABLE' }));
}

/**
 * Lists the columns of a table in order, without generated columns.
 * @param {Connection} connection
 * @param {string} schema
 * @param {string} table
 * @returns {Promise<Column[]>}
 */
export async function listColumns(connection, schema, table) {
  const sql = `SELECT COLUMN_NAME AS name, DATA_TYPE AS type, EXTRA AS extra FROM information_schema.COLUMNS
    WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`;
  const rows = await readRows(connection, sql, [schema, table]);
  return rows
    .filter(
      ({ extra }) => !/(VIRTUAL|STORED|PERSISTENT) ?GENERATED|^(VIRTUAL|PERSISTENT)/i.test(String(extra)),
    )
    .map(({ name, type }) => ({ name: String(name), kind: kindOf(String(type).toLowerCase()) }));
}

/** @param {string} type @returns {Column['kind']} */
function kindOf(type) {
  if (type === 'json') return 'json';
  return /blob|binary|bit/.test(type) ? 'binary' : 'text';
}

/**
 * Copies every row of a table into the table of the same name, which is emptied first.
 *
 * @param {{from: Connection, to: Connection, schema: string, table: string, columns: readonly Column[]}} options
 * @returns {Promise<Digest>} the digest of the rows that were read
 */
export async function copyTable({ from, to, schema, table, columns }) {
  const name = `${quote(schema)}.${quote(table)}`;
  const names = columns.map((column) => quote(column.name)).join(', ');
  await to.query(`DELETE FROM ${name}`);
  const digest = createDigest();
  /** @type {(string | Buffer | null)[][]} */
  let batch = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length > 0) await to.query(`INSERT INTO ${name} (${names}) VALUES ?`, [batch]);
    [batch, bytes] = [[], 0];
  };
  for await (const row of streamRows(from, `SELECT ${names} FROM ${name}`)) {
    digest.add(row, columns);
    const values = row.map((value, index) =>
      value === null || columns[index]?.kind === 'binary' ? value : value.toString('utf8'),
    );
    const rowBytes = row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (rowBytes > TEXT_ROW_BYTES_MAX) {
      await to.execute(
        `INSERT INTO ${name} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
        values,
      );
      continue;
    }
    batch.push(values);
    bytes += rowBytes;
    if (bytes >= BATCH_BYTES || batch.length >= BATCH_ROWS) await flush();
  }
  await flush();
  await copyNextId(from, to, schema, table);
  return digest.read();
}

/**
 * Reads every row of a table and returns its digest.
 * @param {Connection} connection
 * @param {string} schema
 * @param {string} table
 * @param {readonly Column[]} columns read and hashed in this order; `kind` says how
 * @returns {Promise<Digest>}
 */
export async function digestTable(connection, schema, table, columns) {
  const names = columns.map((column) => quote(column.name)).join(', ');
  const digest = createDigest();
  for await (const row of streamRows(connection, `SELECT ${names} FROM ${quote(schema)}.${quote(table)}`))
    digest.add(row, columns);
  return digest.read();
}

/**
 * Sets the next AUTO_INCREMENT value of the copy to that of the original, so that the id of a deleted row is
 * not used again.
 * @param {Connection} from
 * @param {Connection} to
 * @param {string} schema
 * @param {string} table
 */
async function copyNextId(from, to, schema, table) {
  const sql =
    'SELECT CAST(AUTO_INCREMENT AS CHAR) AS next FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?';
  const [row] = await readRows(from, sql, [schema, table]);
  const next = row?.['next'];
  if (typeof next === 'string' && /^\d+$/.test(next))
    await to.query(`ALTER TABLE ${quote(schema)}.${quote(table)} AUTO_INCREMENT = ${next}`);
}

/** Sums SHA-256 hashes of rows modulo 2^256, in any order and without holding a row in memory. */
function createDigest() {
  let sum = 0n;
  let rows = 0;
  return {
    /** @param {readonly (Buffer | null)[]} row @param {readonly Column[]} columns */
    add(row, columns) {
      const hash = createHash('sha256');
      for (const [index, value] of row.entries()) {
        const bytes = value !== null && columns[index]?.kind === 'json' ? sortJson(value) : value;
        hash.update(bytes === null ? 'n;' : `${bytes.length};`);
        if (bytes !== null) hash.update(bytes);
      }
      sum = BigInt.asUintN(256, sum + BigInt(`0x${hash.digest('hex')}`));
      rows += 1;
    },
    /** @returns {Digest} */
    read: () => ({ rows, sum: sum.toString(16) }),
  };
}

/** Sorts the members of a JSON value, because MySQL does not keep their order. @param {Buffer} value */
function sortJson(value) {
  const sorted = JSON.stringify(JSON.parse(value.toString('utf8')), (_, member) => {
    const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
    return isObject
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member;
  });
  return Buffer.from(sorted);
}

/**
 * @param {Connection} connection
 * @param {string} sql
 * @returns {AsyncIterable<(Buffer | null)[]>} the rows, with each value as the bytes that the server sent
 */
function streamRows(connection, sql) {
  const typeCast = (/** @type {{buffer: () => Buffer | null}} */ field) => field.buffer();
  const query = /** @type {any} */ (connection).connection.query({ sql, typeCast, rowsAsArray: true });
  return query.stream({ highWaterMark: 100 });
}

/**
 * @param {Connection} connection
 * @param {string} sql
 * @param {readonly any[]} [values]
 * @returns {Promise<Record<string, unknown>[]>}
 */
export async function readRows(connection, sql, values = []) {
  const [rows] = await connection.query(sql, [...values]);
  return /** @type {Record<string, unknown>[]} */ (rows);
}

/** @param {string} name */
function quote(name) {
  return `\`${name.replaceAll('`', '``')}\``;
}
