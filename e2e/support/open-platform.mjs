// @ts-check
import mysql from 'mysql2/promise';

/**
 * Opens a connection to the cell tables of the platform database.
 * @param {{ host: string, port: number, user: string, password: string }} admin
 * @param {import('mysql2/promise').ConnectionOptions} [more]
 */
export function openPlatform({ host, port, user, password }, more = {}) {
  return mysql.createConnection({
    host,
    port,
    user,
    password,
    database: 'rowhouse_cell',
    timezone: 'Z',
    ...more,
  });
}
