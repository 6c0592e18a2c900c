import { rmSync } from 'node:fs';
import { listPrepareEnv } from '../product/app-processes.mjs';
import { writeJsonFile } from '../data-folder/json-file.mjs';
import { movePlatform } from './move-platform.mjs';
import { createPlatformAccounts, grantPlatformRights } from './platform-accounts.mjs';
import { rejectSharedServer } from './same-server.mjs';
import { runNode } from '../processes/run-program.mjs';
import { createServerAccounts } from './server-accounts.mjs';

/**
 * @typedef {object} PrepareOptions
 * @property {import('../servers/provide-servers.mjs').ProvidedMysql} mysql the first server of tenants' databases
 * @property {import('../servers/provide-servers.mjs').ProvidedMysql} platform the server of the platform database
 * @property {boolean} hasPlatform whether an earlier start has finished with a platform database on that server
 * @property {import('../product/app-processes.mjs').AppContext} context
 * @property {{provisioner: string, observer: string}} serverPasswords
 * @property {string} serverFile where the description of the server is written for the control plane's command
 * @property {string} logFile
 * @property {import('../report.mjs').Report} report
 */

/**
 * Creates the schemas, accounts, tables and privileges, and registers the server that hosts databases. It can
 * be repeated safely. The platform database of an older version, which is on the server of tenants'
 * databases, is moved first.
 *
 * The accounts of running processes get their passwords only after the migration, which rejects a platform
 * database created with other secrets. A start with the wrong data folder therefore cannot lock out the
 * installation that owns the database.
 * @param {PrepareOptions} options
 */
export async function preparePlatform(options) {
  const { mysql, platform, context, report } = options;
  await rejectSharedServer(platform.admin, mysql.admin);
  report.step('Preparing the platform database');
  await movePlatform({
    from: mysql.admin,
    to: platform.admin,
    isExpected: options.hasPlatform,
    createTables: (address) => createTables(options, address === mysql.admin ? mysql : platform),
    onMove: () =>
      report.step('Moving the platform database to its own server. This happens once and takes a while'),
  });
  await createTables(options, platform);
  await createPlatformAccounts(platform.admin, platform.accountHost, context.passwords, [
    'rh_control',
    'rh_worker',
    'rh_gateway',
  ]);
  await grantPlatformRights(platform.admin, platform.accountHost);
  if ((context.secrets.previousMasterKeys ?? []).length > 0) {
    report.step('Re-encrypting secrets with the new master key');
    await runNode(
      ['apps/control-plane/dist/admin/rotate-master-key.js'],
      listPrepareEnv(context, 'rh_control'),
      options.logFile,
      'Changing the master key failed; both keys are kept, and the next start continues.',
    );
  }
  await registerServer(options);
}

/**
 * Creates the platform tables on a server, or brings older ones up to date.
 * @param {PrepareOptions} options
 * @param {import('../servers/provide-servers.mjs').ProvidedMysql} server
 */
async function createTables({ context, logFile }, { admin, accountHost }) {
  await createPlatformAccounts(admin, accountHost, context.passwords, ['rh_migrate']);
  const env = listPrepareEnv({ ...context, database: admin }, 'rh_migrate');
  await runNode(
    ['apps/control-plane/dist/platform-db/migrate.js'],
    env,
    logFile,
    'The platform migrations failed.',
  );
}

/**
 * Registers the first server of tenants' databases.
 * @param {PrepareOptions} options
 */
async function registerServer({ mysql, context, serverPasswords, serverFile, logFile, report }) {
  const { refused: rejected } = await createServerAccounts(mysql.admin, {
    engine: mysql.engine,
    accountHost: mysql.accountHost,
    provisionerPassword: serverPasswords.provisioner,
    observerPassword: serverPasswords.observer,
  });
  for (const right of rejected)
    report.note(`The server cannot grant ${right}, so revoked connections may end later.`);
  const { host, port } = mysql.admin;
  writeJsonFile(serverFile, {
    name: 'local',
    host,
    port,
    admin_port: mysql.adminPort,
    public_host: mysql.direct?.host ?? context.env['MYSQL_PUBLIC_HOST'] ?? host,
    public_port: Number(context.env['MYSQL_PUBLIC_PORT'] ?? port),
    tls: mysql.tls,
    public_tls: mysql.direct === null ? (context.env['MYSQL_PUBLIC_TLS'] ?? mysql.tls) : 'required',
    public_ca: mysql.direct?.caPem ?? null,
    provisioner: { user: 'rh_provisioner', password: serverPasswords.provisioner },
    observer: { user: 'rh_observer', password: serverPasswords.observer },
  });
  const args = ['apps/control-plane/dist/admin/register-server.js', '--file', serverFile];
  try {
    await runNode(
      args,
      listPrepareEnv(context, 'rh_control'),
      logFile,
      'Registering the database server failed.',
    );
  } finally {
    rmSync(serverFile, { force: true });
  }
}
