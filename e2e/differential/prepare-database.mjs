// @ts-check
import { openAdminConnection } from '@rowhouse/mysql';
import { deploy, waitUntilProvisioned } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { waitFor } from '../support/wait.mjs';
import { insertSql } from './make-tables.mjs';

/** @typedef {{ host: string, port: number, user: string, password: string }} Admin */

/**
 * Deploys the tables and fills them over a server session without strict mode, which accepts zero dates.
 * @param {{ gateway: string, tenants: Admin, platform: Admin }} product
 * @param {import('../support/control.mjs').TestUser} user
 * @param {readonly import('./make-tables.mjs').Table[]} tables
 */
export async function prepareDatabase({ gateway, tenants, platform }, user, tables) {
  await waitUntilProvisioned(gateway, user);
  await deploy(user, tables.flatMap((table) => table.sql).join(';\n'));
  const database = await findSchema(platform, user.development.id);
  const connection = await openAdminConnection({ ...tenants, database });
  try {
    await connection.run(
      "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', time_zone = '+00:00'",
    );
    for (const table of tables)
      if (table.sql[0]?.startsWith('CREATE TABLE')) await connection.run(insertSql(table));
  } finally {
    await connection.close();
  }
  const last = tables.at(-1)?.name.replaceAll('_', '-');
  await waitFor(
    'the tables are served',
    async () => (await openApi(gateway, user.key).get(`/${last}?limit=1`)).status === 200,
  );
}

/** @param {Admin} platform @param {string} id @returns {Promise<string>} */
async function findSchema(platform, id) {
  const connection = await openAdminConnection(platform);
  try {
    const [row] = /** @type {{ schema_name: string }[]} */ (
      await connection.rows('SELECT schema_name FROM rowhouse_cell.tenant_database WHERE id = ?', [id])
    );
    return row?.schema_name ?? '';
  } finally {
    await connection.close();
  }
}
