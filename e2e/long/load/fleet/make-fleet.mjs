// @ts-check
/**
 * Creates thousands of databases in minutes, in the state in which a worker and a control plane leave them.
 * The server has schemas and accounts. The cell has records, encrypted secrets, keys and snapshots, published
 * by the product's own stores. Sign-ups, tasks, migrations, side schemas and migration accounts are left out,
 * because no request uses them.
 */
import { accountSecretPurpose, DEFAULT_DATABASE_SETTINGS, DEFAULT_SCOPES } from '@rowhouse/contracts';
import { createSecretBox, generateApiKey, generatePassword, hashToken } from '@rowhouse/credentials';
import { listInstallationPaths, provideSecrets } from '@rowhouse/local/data-folder/installation';
import { createAdminPool, introspectSchema, openAdminConnection } from '@rowhouse/mysql';
import { publishSnapshot } from '@rowhouse/platform-store';
import { createId, randomBase32 } from '@rowhouse/runtime';
import { nameSnapshot } from '@rowhouse/schema-model';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { waitFor } from '../../../support/wait.mjs';

/** @typedef {{ databaseId: string, schema: string, key: string }} Tenant */

const CELL = 'c1';
/** All databases are in one slot, because this suite has no balancer. */
const SLOT = 7;
const AT_ONCE = 6;
const ROWS_PER_STATEMENT = 200;
/**
 * The buffer pool of a server with this many databases, which holds the pages of all tables. The launcher's
 * own server has 256 MiB.
 */
const BUFFER_POOL_BYTES = 3 * 1024 ** 3;
/** The number of dirty pages that remain at rest, because the server itself keeps changing some pages. */
const DIRTY_PAGES_MAX = 200;
/** Privileges in addition to those of the product's accounts, so that the suite can poison a session. */
const POISON_RIGHTS = 'CREATE TEMPORARY TABLES';

/** @param {string} schema */
const listTables = (schema) => [
  `CREATE TABLE ${schema}.own (id int AUTO_INCREMENT PRIMARY KEY, tenant varchar(20) NOT NULL DEFAULT '', note varchar(40)) COMMENT 'Of ${schema}'`,
  `CREATE TABLE ${schema}.parts (id int AUTO_INCREMENT PRIMARY KEY, own_id int NOT NULL, tenant varchar(20) NOT NULL, FOREIGN KEY (own_id) REFERENCES ${schema}.own (id))`,
  `INSERT INTO ${schema}.own (tenant, note) VALUES ('${schema}', 'first'), ('${schema}', 'second')`,
  `INSERT INTO ${schema}.parts (own_id, tenant) VALUES (1, '${schema}'), (2, '${schema}')`,
];

/**
 * @param {import('../../../support/with-product.mjs').RunningProduct} product
 * @param {number} count
 * @returns {Promise<Tenant[]>}
 */
export async function makeFleet(product, count) {
  const { admin } = product.mysql;
  const { admin: platform } = product.platform;
  const { secrets } = provideSecrets(listInstallationPaths(product.dataDir));
  const box = createSecretBox([Buffer.from(secrets.masterKey, 'base64url')]);
  const pepper = Buffer.from(secrets.pepper, 'base64url');
  const cell = createAdminPool(
    `mysql://${platform.user}:${platform.password}@${platform.host}:${platform.port}/rowhouse_cell`,
    { connectionsMax: AT_ONCE },
  );
  const root = createAdminPool(`mysql://${admin.user}:${admin.password}@${admin.host}:${admin.port}/mysql`, {
    connectionsMax: AT_ONCE,
  });
  const [server] = await cell.rows('SELECT id FROM server WHERE cell_id = ?', [CELL]);
  const tenants = Array.from({ length: count }, () => ({
    databaseId: createId('db'),
    schema: `p${randomBase32(16)}`,
    key: generateApiKey('development', SLOT),
    rows: generatePassword(),
    query: generatePassword(),
  }));

  // The speed of the disk is not part of the measurement. Full durability is restored before the first
  // request.
  await root.run('SET GLOBAL innodb_flush_log_at_trx_commit = 2');
  await root.run(`SET GLOBAL innodb_buffer_pool_size = ${BUFFER_POOL_BYTES}`);
  await inChunks(tenants, async ({ schema, rows, query }) => {
    await root.run(`CREATE DATABASE ${schema} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
    for (const sql of listTables(schema)) await root.run(sql);
    await root.run(
      `CREATE USER ${schema}r@'%' IDENTIFIED BY '${rows}', ${schema}q@'%' IDENTIFIED BY '${query}'`,
    );
    await root.run(
      `GRANT SELECT, INSERT, UPDATE, DELETE, LOCK TABLES, ${POISON_RIGHTS} ON ${schema}.* TO ${schema}r@'%'`,
    );
    await root.run(`GRANT SELECT, ${POISON_RIGHTS} ON ${schema}.* TO ${schema}q@'%'`);
  });
  const settings = JSON.stringify(DEFAULT_DATABASE_SETTINGS);
  await insertMany(
    cell,
    'tenant_database (id, cell_id, project_id, project_name, environment, schema_name, slot, server_id, provision_state, docs_slug, settings, created_at)',
    "?, ?, ?, 'Fleet', 'development', ?, ?, ?, 'ready', ?, ?, NOW()",
    tenants.map(({ databaseId, schema }) => [
      databaseId,
      CELL,
      createId('prj'),
      schema,
      SLOT,
      String(server?.['id']),
      randomBase32(24),
      settings,
    ]),
  );
  await insertMany(
    cell,
    'database_account (database_id, kind, rights_hash, cell_id, user_name, secret_sealed, created_at)',
    "?, ?, '', ?, ?, ?, NOW()",
    tenants.flatMap((tenant) =>
      /** @type {const} */ (['rows', 'query']).map((kind) => [
        tenant.databaseId,
        kind,
        CELL,
        `${tenant.schema}${kind[0]}`,
        box.seal(tenant[kind], accountSecretPurpose(tenant.databaseId, kind, '')),
      ]),
    ),
  );
  await insertMany(
    cell,
    'api_key (id, cell_id, database_id, lineage_id, name, key_hash, last4, scopes, rights_hash, created_by, created_at)',
    "?, ?, ?, ?, 'fleet', ?, ?, ?, '', 'acc_fleet', NOW()",
    tenants.map(({ databaseId, key }) => [
      createId('key'),
      CELL,
      databaseId,
      createId('lin'),
      hashToken(pepper, key),
      key.slice(-4),
      JSON.stringify(DEFAULT_SCOPES),
    ]),
  );
  const describe = await readModel(product, tenants[0]?.schema ?? '');
  await inChunks(tenants, async ({ databaseId, schema }) => {
    const outcome = await publishSnapshot(cell, CELL, {
      databaseId,
      ...(await encodeSnapshot(describe(schema))),
      origin: 'provision',
      afterNumber: 0,
      marksReady: true,
    });
    if (outcome.kind !== 'published') throw new Error(`snapshot of ${databaseId}: ${outcome.kind}`);
  });
  await root.run('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
  await writePages(root);
  await Promise.all([cell.close(), root.close()]);
  return tenants.map(({ databaseId, schema, key }) => ({ databaseId, schema, key }));
}

/**
 * Writes all dirty pages to disk before the first request. A real server does not create all databases within
 * minutes.
 * @param {ReturnType<typeof createAdminPool>} root
 */
async function writePages(root) {
  const [retained] = await root.rows(
    'SELECT @@GLOBAL.innodb_max_dirty_pages_pct AS most, @@GLOBAL.innodb_max_dirty_pages_pct_lwm AS low',
  );
  await root.run(
    'SET GLOBAL innodb_max_dirty_pages_pct_lwm = 0.001, GLOBAL innodb_max_dirty_pages_pct = 0.001',
  );
  await waitFor(
    'the pages are written',
    async () => {
      const [status] = await root.rows("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'");
      return Number(status?.['Value']) <= DIRTY_PAGES_MAX;
    },
    { timeoutMs: 300_000, intervalMs: 500 },
  );
  await root.run(
    `SET GLOBAL innodb_max_dirty_pages_pct = ${Number(retained?.['most'])}, GLOBAL innodb_max_dirty_pages_pct_lwm = ${Number(retained?.['low'])}`,
  );
}

/**
 * Returns a function that describes a schema. All schemas have the tables of the first, which is
 * introspected, and their texts name the tenant.
 * @param {import('../../../support/with-product.mjs').RunningProduct} product
 * @param {string} first
 * @returns {Promise<(schema: string) => import('@rowhouse/schema-model').Snapshot>}
 */
async function readModel(product, first) {
  const connection = await openAdminConnection({ ...product.mysql.admin, database: first });
  const tables = await introspectSchema(connection, first, product.mysql.engine);
  await connection.close();
  const text = JSON.stringify(nameSnapshot({ engine: product.mysql.engine, tables }, null));
  return (schema) => JSON.parse(text.replaceAll(first, schema));
}

/**
 * @param {import('@rowhouse/mysql').AdminPool} pool
 * @param {string} target
 * @param {string} values
 * @param {import('@rowhouse/mysql').AdminValue[][]} rows
 */
async function insertMany(pool, target, values, rows) {
  for (let index = 0; index < rows.length; index += ROWS_PER_STATEMENT) {
    const part = rows.slice(index, index + ROWS_PER_STATEMENT);
    await pool.run(`INSERT INTO ${target} VALUES ${part.map(() => `(${values})`).join(', ')}`, part.flat());
  }
}

/** @template T @param {readonly T[]} items @param {(item: T) => Promise<void>} callback */
async function inChunks(items, callback) {
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < items.length) await callback(/** @type {T} */ (items[next++]));
    }),
  );
}
