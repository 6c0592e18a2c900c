import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listInstallationPaths, readState } from './installation.mjs';
import { readJsonFile } from './json-file.mjs';
import { formatMysqlUrl } from '../servers/mysql-admin.mjs';
import { defaultDataDir, rootDir } from '../paths.mjs';
import { GLOBAL_SCHEMA } from '../platform/platform-accounts.mjs';
import { readGivenMysql } from '../servers/read-given-mysql.mjs';

/**
 * Runs a command of the control plane on the installation in the data folder, with its secrets. Ends the
 * process when there is no installation.
 * @param {string} name the name of a file in `apps/control-plane/dist/admin`
 * @param {readonly string[]} args
 */
export function runAdminCommand(name, args) {
  const paths = listInstallationPaths(defaultDataDir());
  if (!existsSync(paths.state)) {
    console.error(
      `There is no installation in ${paths.dataDir}. Set ROWHOUSE_DATA_DIR to the folder of the installation.`,
    );
    process.exit(1);
  }
  const state = readState(paths);
  const secrets = /** @type {import('./installation.mjs').InstallationSecrets | null} */ (
    readJsonFile(paths.secrets)
  );
  const provided = process.env['PLATFORM_MYSQL_URL'];
  const address = provided
    ? readGivenForPerson(provided)
    : { host: '127.0.0.1', port: state.ports['platform'] ?? 0 };
  const url = formatMysqlUrl(
    { ...address, user: 'rh_control', password: state.passwords['rh_control'] ?? '' },
    GLOBAL_SCHEMA,
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(rootDir, `apps/control-plane/dist/admin/${name}.js`), ...args],
    {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
        PLATFORM_GLOBAL_URL: url,
        ROWHOUSE_MASTER_KEY: secrets?.masterKey ?? '',
        ROWHOUSE_MASTER_KEY_PREVIOUS: (secrets?.previousMasterKeys ?? []).join(','),
      },
    },
  );
  return {
    status,
    stdout,
    stderr: /ECONNREFUSED/.test(stderr)
      ? `${stderr}The database of the installation does not respond. Start the installation first.`
      : stderr,
  };
}

/** @param {string} url */
function readGivenForPerson(url) {
  try {
    return readGivenMysql(url, process.env, 'PLATFORM_MYSQL_URL');
  } catch (err) {
    console.error(/** @type {Error} */ (err).message);
    process.exit(1);
  }
}
