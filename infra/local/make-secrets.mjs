import { pathToFileURL } from 'node:url';
import { makeSecrets } from './installation.mjs';
import { PLATFORM_ACCOUNTS } from './platform-accounts.mjs';
import { makePassword } from './start-mysql-server.mjs';

/** The names under which the preparing command and the manifests look for an account's password. */
export const PASSWORD_VARIABLES = {
  rh_migrate: 'ROWHOUSE_MIGRATE_PASSWORD',
  rh_control: 'ROWHOUSE_CONTROL_PASSWORD',
  rh_worker: 'ROWHOUSE_WORKER_PASSWORD',
  rh_gateway: 'ROWHOUSE_GATEWAY_PASSWORD',
  rh_provisioner: 'ROWHOUSE_PROVISIONER_PASSWORD',
  rh_observer: 'ROWHOUSE_OBSERVER_PASSWORD',
};

/**
 * Everything secret that an installation without the launcher needs, as lines of an environment file.
 * @returns {string[]}
 */
export function makeSecretLines() {
  const { masterKey, pepper, serverPublicKey, serverPrivateKey } = makeSecrets();
  return [
    `ROWHOUSE_MASTER_KEY=${masterKey}`,
    `ROWHOUSE_PEPPER=${pepper}`,
    `ROWHOUSE_SERVER_PUBLIC_KEY=${serverPublicKey}`,
    `ROWHOUSE_SERVER_PRIVATE_KEY=${serverPrivateKey}`,
    ...[...PLATFORM_ACCOUNTS, /** @type {const} */ ('rh_provisioner'), /** @type {const} */ ('rh_observer')].map((account) => `${PASSWORD_VARIABLES[account]}=${makePassword()}`),
    `MYSQL_ROOT_PASSWORD=${makePassword()}`,
    `REDIS_PASSWORD=${makePassword()}`,
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) console.log(makeSecretLines().join('\n'));
