import { createConnection } from 'mysql2/promise';

/**
 * @typedef {object} MysqlAddress
 * @property {string} host
 * @property {number} port
 * @property {string} user
 * @property {string} password
 */

/**
 * Opens one connection, hands it over and closes it whatever happens.
 *
 * @template T
 * @param {MysqlAddress & {database?: string}} address
 * @param {(connection: import('mysql2/promise').Connection) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withConnection(address, work) {
  const { host, port, user, password, database } = address;
  const connection = await createConnection({ host, port, user, password, database, connectTimeout: 5_000, maxPreparedStatements: 16 });
  try {
    return await work(connection);
  } finally {
    connection.destroy();
  }
}

/**
 * @param {MysqlAddress & {database?: string}} address
 * @param {readonly string[]} statements run one after the other on one connection
 */
export async function runStatements(address, statements) {
  await withConnection(address, async (connection) => {
    for (const statement of statements) await connection.query(statement);
  });
}

/**
 * @param {MysqlAddress} address
 * @returns {Promise<{engine: 'mariadb' | 'mysql', version: string}>}
 */
export async function readEngine(address) {
  return withConnection(address, async (connection) => {
    const [rows] = await connection.query('SELECT VERSION() AS version');
    const version = String(/** @type {{version: string}[]} */ (rows)[0]?.version ?? '');
    return { engine: /mariadb/i.test(version) ? 'mariadb' : 'mysql', version };
  });
}

/**
 * @param {string} url `mysql://user:password@host:port`
 * @returns {MysqlAddress}
 */
export function parseMysqlUrl(url) {
  const parsed = new URL(url);
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: Number(parsed.port || 3306),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
  };
}

/**
 * @param {MysqlAddress} address
 * @param {string} [schema]
 * @returns {string}
 */
export function formatMysqlUrl(address, schema) {
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  const path = schema === undefined ? '' : `/${schema}`;
  return `mysql://${encodeURIComponent(address.user)}:${encodeURIComponent(address.password)}@${host}:${address.port}${path}`;
}
