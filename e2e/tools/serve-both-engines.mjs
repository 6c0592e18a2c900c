// @ts-check
/** Creates an installation with a MariaDB and a MySQL server, and a project on each. */
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { findMysql } from '@rowhouse/local/servers/find-servers';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { createTerminalReport } from '@rowhouse/local/report';
import { createServerAccounts } from '@rowhouse/local/platform/server-accounts';
import { makePassword, startMysqlServer } from '@rowhouse/local/servers/start-mysql-server';
import { createConnection, expectStatus, signIn, signUp, waitForMigration } from '../support/control.mjs';

/** @typedef {'mariadb' | 'mysql'} Engine */

/**
 * Starts a MySQL server and registers it as an operator would.
 * @param {import('../support/with-product.mjs').RunningProduct} product
 * @returns {Promise<{ version: string, stop: () => Promise<void> }>}
 */
export async function addMysqlServer(product) {
  const report = createTerminalReport();
  const server = await startMysqlServer({
    engine: 'mysql',
    program: await findMysql(report),
    homeDir: join(product.dataDir, 'second-server'),
    logFile: join(product.dataDir, 'second-server.log'),
    port: await findFreePort(),
    password: makePassword(),
  });
  try {
    const passwords = { provisionerPassword: makePassword(), observerPassword: makePassword() };
    await createServerAccounts(server, { engine: 'mysql', accountHost: '127.0.0.1', ...passwords });
    const { demo } = product.run;
    if (demo === null) throw new Error('the demo account, which is the operator, is missing');
    const operator = await signIn(product.control, demo);
    const body = {
      name: 'second',
      host: server.host,
      port: server.port,
      public_host: server.host,
      public_port: server.port,
      tls: 'off',
      provisioner: { user: 'rh_provisioner', password: passwords.provisionerPassword },
      observer: { user: 'rh_observer', password: passwords.observerPassword },
    };
    expectStatus(
      await operator.call('POST', '/api/admin/servers', body),
      [201],
      'register the second server',
    );
    return { version: server.version, stop: () => server.stop(5_000) };
  } catch (err) {
    await server.stop(2_000);
    throw err;
  }
}

/**
 * @typedef {object} Tenant
 * @property {Engine} engine
 * @property {string} version
 * @property {string} databaseId
 * @property {import('../support/control.mjs').TestUser} person
 * @property {import('@rowhouse/contracts').CreatedConnectionResponse} owner
 * @property {import('@rowhouse/contracts').CreatedConnectionResponse} reader
 */

/**
 * Creates a project on this engine, with the blog starter and one post.
 * @param {string} control
 * @param {Engine} engine
 * @param {string} title
 * @returns {Promise<Tenant>}
 */
export async function openTenant(control, engine, title) {
  const user = await signUp(control, { name: engine, starter: 'empty' });
  const response = await user.control.call('POST', '/api/projects', {
    name: `Tools on ${engine}`,
    starter: 'blog',
    engine,
  });
  expectStatus(response, [201, 202], 'create a project');
  for (const migration of response.json.migrations ?? []) await waitForMigration(user.control, migration.id);
  const database = response.json.databases.find(
    (/** @type {{ environment: string }} */ item) => item.environment === 'development',
  );
  if (database.engine !== engine) throw new Error(`the database is on ${database.engine}, not on ${engine}`);
  const owner = await createConnection(user, { name: 'owner', role: 'owner' }, database.id);
  const reader = await createConnection(user, { name: 'reader', role: 'read-only' }, database.id);
  await withSession(owner, async (session) => {
    await session.query("INSERT INTO users (username, email) VALUES ('ann', 'ann@example.test')");
    await session.query('INSERT INTO posts (title, content, user_id) SELECT ?, ?, id FROM users', [
      title,
      '…',
    ]);
  });
  return { engine, version: database.engine_version, databaseId: database.id, person: user, owner, reader };
}

/**
 * @template T
 * @param {import('@rowhouse/contracts').CreatedConnectionResponse} connection
 * @param {(session: import('mysql2/promise').Connection) => Promise<T>} callback
 */
export async function withSession({ host, port, user, password, database }, callback) {
  const session = await mysql.createConnection({ host, port, user, password, database });
  try {
    return await callback(session);
  } finally {
    session.destroy();
  }
}
