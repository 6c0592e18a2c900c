import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD_VARIABLES } from './make-secrets.mjs';
import { preparePlatform } from './platform/prepare-platform.mjs';
import { checkGivenMysql } from './servers/provide-servers.mjs';
import { createTerminalReport, LauncherError } from './report.mjs';

/**
 * Prepares databases the way the launcher does before it starts processes. It is a command for installations
 * that another system supervises, such as Compose or Kubernetes. It creates schemas, accounts, tables and
 * privileges, and registers the first database server. It can be repeated safely; run it before each new
 * version.
 *
 * It reads PLATFORM_MYSQL_URL, MYSQL_URL, CONTROL_PUBLIC_URL, GATEWAY_PUBLIC_URL and REDIS_URL, and the
 * secrets and passwords that `make-secrets.mjs` prints. The first two name privileged accounts on the server
 * of the platform database and on the first server of tenants' databases. These must be two servers.
 */

/** @param {string} name */
function need(name) {
  const value = process.env[name];
  if (!value) throw new LauncherError(`${name} is not set.`);
  return value;
}

function needPlatformUrl() {
  if (process.env['PLATFORM_MYSQL_URL']) return need('PLATFORM_MYSQL_URL');
  throw new LauncherError('PLATFORM_MYSQL_URL is not set.', {
    hint:
      "It names the server of the platform database, which must not be the server of tenants' " +
      'databases (MYSQL_URL). To add one to an existing installation, see docs/operate/upgrade.md.',
  });
}

async function main() {
  const platform = await checkGivenMysql(needPlatformUrl(), process.env, 'PLATFORM_MYSQL_URL');
  const mysql = await checkGivenMysql(need('MYSQL_URL'), process.env);
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-prepare-'));
  try {
    await preparePlatform({
      mysql,
      platform,
      hasPlatform: false,
      context: {
        database: platform.admin,
        passwords: {
          rh_migrate: need(PASSWORD_VARIABLES.rh_migrate),
          rh_control: need(PASSWORD_VARIABLES.rh_control),
          rh_worker: need(PASSWORD_VARIABLES.rh_worker),
          rh_gateway: need(PASSWORD_VARIABLES.rh_gateway),
        },
        redisUrl: need('REDIS_URL'),
        secrets: {
          masterKey: need('ROWHOUSE_MASTER_KEY'),
          previousMasterKeys: (process.env['ROWHOUSE_MASTER_KEY_PREVIOUS'] ?? '')
            .split(',')
            .filter((key) => key !== ''),
          pepper: need('ROWHOUSE_PEPPER'),
          serverPublicKey: need('ROWHOUSE_SERVER_PUBLIC_KEY'),
          serverPrivateKey: '',
        },
        controlUrl: need('CONTROL_PUBLIC_URL'),
        gatewayUrl: need('GATEWAY_PUBLIC_URL'),
        operatorEmail: process.env['ROWHOUSE_OPERATOR_EMAIL'] ?? '',
        env: process.env,
        extraEnv: {},
      },
      serverPasswords: {
        provisioner: need(PASSWORD_VARIABLES.rh_provisioner),
        observer: need(PASSWORD_VARIABLES.rh_observer),
      },
      serverFile: join(folder, 'server.json'),
      logFile: join(folder, 'prepare.log'),
      report: createTerminalReport(),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (err) {
  if (!(err instanceof LauncherError)) throw err;
  console.error([err.message, err.logTail, err.hint].filter(Boolean).join('\n'));
  process.exit(1);
}
