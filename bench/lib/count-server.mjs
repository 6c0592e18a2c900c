// @ts-check
import mysql from 'mysql2/promise';

/** The server's counters of statements, bytes and disk operations. */
const NAMES = [
  'Questions',
  'Com_stmt_execute',
  'Com_stmt_prepare',
  'Com_select',
  'Com_insert',
  'Com_update',
  'Com_delete',
  'Com_begin',
  'Com_commit',
  'Com_rollback',
  'Com_change_user',
  'Connections',
  'Bytes_received',
  'Bytes_sent',
  'Innodb_data_fsyncs',
  'Innodb_os_log_fsyncs',
];

/**
 * Counts the operations of a database server per request while `callback` runs.
 * The counts include other clients. The product itself sends a few statements per second.
 * @param {string} url
 * @param {() => Promise<{ requests: number }>} callback
 * @returns {Promise<{ name: string, each: number }[]>} the counters that changed
 */
export async function countWhile(url, callback) {
  const before = await readCounters(url);
  const { requests } = await callback();
  const after = await readCounters(url);
  return NAMES.map((name) => ({
    name,
    each: ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / requests,
  })).filter(({ each }) => each > 0.005);
}

/** @param {string} url */
async function readCounters(url) {
  const connection = await mysql.createConnection(url);
  try {
    const [rows] = await connection.query(
      `SHOW GLOBAL STATUS WHERE Variable_name IN (${NAMES.map(() => '?').join(', ')})`,
      NAMES,
    );
    return new Map(
      /** @type {{ Variable_name: string, Value: string }[]} */ (rows).map((row) => [
        row.Variable_name,
        Number(row.Value),
      ]),
    );
  } finally {
    await connection.end();
  }
}

/**
 * Returns the number of InnoDB disk flushes since the server started.
 * Nearly all of them are flushes of its log, for which current MariaDB versions have no separate counter.
 * @param {string} url
 */
export async function countDiskFlushes(url) {
  return (await readCounters(url)).get('Innodb_data_fsyncs') ?? Number.NaN;
}
