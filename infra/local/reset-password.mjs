import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listInstallationPaths, readState } from './installation.mjs';
import { formatMysqlUrl, parseMysqlUrl } from './mysql-admin.mjs';
import { defaultDataDir, rootDir } from './paths.mjs';
import { GLOBAL_SCHEMA } from './platform-accounts.mjs';

/** `pnpm run reset-password <e-mail>`: a new password for an account of the installation that runs on the data folder. */

const paths = listInstallationPaths(defaultDataDir());
const [email, ...rest] = process.argv.slice(2).filter((arg) => arg !== '--');
if (email === undefined || rest.length > 0) {
  console.error('pnpm run reset-password <e-mail of the account>');
  process.exit(2);
}
if (!existsSync(paths.state)) {
  console.error(`There is no installation in ${paths.dataDir}. ROWHOUSE_DATA_DIR names another folder.`);
  process.exit(1);
}
const state = readState(paths);
const given = process.env['MYSQL_URL'];
const address = given ? parseMysqlUrl(given) : { host: '127.0.0.1', port: state.ports['mysql'] ?? 0 };
const url = formatMysqlUrl({ ...address, user: 'rh_control', password: state.passwords['rh_control'] ?? '' }, GLOBAL_SCHEMA);
const { status, stdout, stderr } = spawnSync(process.execPath, [join(rootDir, 'apps/control-plane/dist/admin/reset-password.js'), '--email', email], {
  encoding: 'utf8',
  env: { PATH: process.env['PATH'], PLATFORM_GLOBAL_URL: url },
});
if (status === 0) {
  const made = JSON.parse(stdout);
  console.log(`New password of ${made.email}: ${made.password}\nIts sessions have ended; keys and access tokens stay.`);
} else {
  console.error(stderr.trim());
  if (/ECONNREFUSED/.test(stderr)) console.error('Start the installation first: its database does not answer.');
  process.exit(1);
}
