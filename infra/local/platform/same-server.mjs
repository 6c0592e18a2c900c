import { randomUUID } from 'node:crypto';
import { readRows } from './copy-tables.mjs';
import { withConnection } from '../servers/mysql-admin.mjs';
import { LauncherError } from '../report.mjs';

/** The instructions for a user whose two addresses lead to one server. */
const FIX = [
  'A tenant who crashes their database server would also stop the control plane.',
  'Set PLATFORM_MYSQL_URL to another server (a second mariadbd or mysqld process on the same machine is enough).',
  'The launcher starts one automatically when PLATFORM_MYSQL_URL is not set.',
].join('\n');

/**
 * Rejects one server process, or one Galera cluster, for both the platform database and tenants' databases.
 * Two addresses may lead to one server. So the function takes a lock over one address and looks for it over
 * the other.
 * @param {import('../servers/mysql-admin.mjs').MysqlAddress} platform
 * @param {import('../servers/mysql-admin.mjs').MysqlAddress} tenants
 * @throws {LauncherError}
 */
export async function rejectSharedServer(platform, tenants) {
  const lock = `rowhouse_${randomUUID()}`;
  const isShared = await withConnection(platform, (item) =>
    withConnection(tenants, async (other) => {
      await item.query('SELECT GET_LOCK(?, 0)', [lock]);
      const [row] = await readRows(other, 'SELECT IS_USED_LOCK(?) AS holder', [lock]);
      if (row?.['holder'] !== null) return true;
      const cluster = await readCluster(item);
      return cluster !== '' && cluster === (await readCluster(other));
    }),
  );
  if (!isShared) return;
  const where = `${platform.host}:${platform.port}`;
  const other = `${tenants.host}:${tenants.port}`;
  throw new LauncherError(
    `The platform database (${where}) and tenants' databases (${other}) are on one database server.`,
    { hint: FIX },
  );
}

/**
 * @param {import('mysql2/promise').Connection} connection
 * @returns {Promise<string>} the id of its Galera cluster; '' without one
 */
async function readCluster(connection) {
  const [row] = await readRows(connection, "SHOW STATUS LIKE 'wsrep_cluster_state_uuid'");
  const value = row?.['Value'];
  return typeof value === 'string' ? value : '';
}
