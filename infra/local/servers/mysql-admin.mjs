import { createConnection } from 'mysql2/promise';

/**
 * The sessions of a server as a table for FROM, on either engine. MySQL cannot read
 * `information_schema.PROCESSLIST` while a running statement contains a 4-byte character.
 */
export const SESSIONS =
  '(SELECT ID, USER, DB, COMMAND, TIME, INFO FROM /*M!100000 information_schema.PROCESSLIST */ /*!80022 performance_schema.processlist */) AS sessions';

/**
 * @typedef {object} MysqlAddress
 * @property {string} host
 * @property {number} port
 * @property {string} user
 * @property {string} password
 * @property {'off' | 'required'} [tls] `off` by default
 */

/**
 * The TLS options that processes use too (`toTlsOptions` of `libs/mysql`): an authority that Node trusts, and
 * a certificate for the host name.
 */
export const TLS_OPTIONS = { rejectUnauthorized: true, minVersion: 'TLSv1.2', verifyIdentity: true };

/**
 * Opens a connection, passes it to `callback`, and closes it in every case.
 * @template T
 * @param {MysqlAddress & {database?: string}} address
 * @param {(connection: import('mysql2/promise').Connection) => Promise<T>} callback
 * @returns {Promise<T>}
 */
export async function withConnection(address, callback) {
  const { host, port, user, password, database, tls } = address;
  const connection = await createConnection({
    host,
    port,
    user,
    password,
    database,
    connectTimeout: 5_000,
    maxPreparedStatements: 16,
    ...(tls === 'required' ? { ssl: TLS_OPTIONS } : {}),
  });
  try {
    return await callback(connection);
  } finally {
    connection.destroy();
  }
}

/**
 * @param {MysqlAddress & {database?: string}} address
 * @param {readonly string[]} statements run in order on one connection
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
 * @param {string} url `mysql://user:password@host:port?tls=required`
 * @returns {MysqlAddress} `tls` only where the address sets it
 * @throws {Error} whose message says what is wrong with `url`, without its password
 */
export function parseMysqlUrl(url) {
  if (!URL.canParse(url) || !/^mysql:\/\/[^?#]/.test(url))
    throw new Error(
      'it must have the form mysql://user:password@host:3306, or ' +
        'mysql://user:password@host:3306?tls=required',
    );
  const parsed = new URL(url);
  // A misspelled option must not leave the connection unencrypted.
  const unknown = [...parsed.searchParams.keys()].find((name) => name !== 'tls');
  if (unknown !== undefined)
    throw new Error(
      `it has the unknown option ${unknown}; remove it (only tls is allowed; add a CA with ` +
        'NODE_EXTRA_CA_CERTS)',
    );
  const tls = parsed.searchParams.get('tls');
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: Number(parsed.port || 3306),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    ...(tls === null ? {} : { tls: readTlsWord(tls, 'tls in it') }),
  };
}

/**
 * @param {string} word
 * @param {string} name the name of the setting, for the error
 * @returns {'off' | 'required'}
 */
export function readTlsWord(word, name) {
  if (word !== 'off' && word !== 'required')
    throw new Error(`${name} must be required or off, not ${JSON.stringify(word)}`);
  return word;
}

/**
 * Formats an address the way that processes parse it (`parsePlatformAddress` of `libs/contracts`).
 * @param {MysqlAddress} address
 * @param {string} [schema]
 * @returns {string}
 */
export function formatMysqlUrl(address, schema) {
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  const path = schema === undefined ? '' : `/${schema}`;
  const options = address.tls === 'required' ? '?tls=required' : '';
  return `mysql://${encodeURIComponent(address.user)}:${encodeURIComponent(address.password)}@${host}:${address.port}${path}${options}`;
}
