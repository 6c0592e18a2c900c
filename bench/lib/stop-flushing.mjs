// @ts-check
import mysql from 'mysql2/promise';

/**
 * From here on no commit waits for the disk, which every target's writes do alike: what is left of a write is CPU, and there are
 * so many more of them in a second that all code is compiled soon.
 * @param {string} url
 */
export async function stopFlushing(url) {
  const connection = await mysql.createConnection(url);
  try {
    await connection.query('SET GLOBAL innodb_flush_log_at_trx_commit = 0');
  } finally {
    await connection.end();
  }
}
