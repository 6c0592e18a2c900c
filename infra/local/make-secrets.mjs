import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { makeSecrets } from './data-folder/installation.mjs';
import { PLATFORM_ACCOUNTS } from './platform/platform-accounts.mjs';
import { makePassword } from './servers/start-mysql-server.mjs';

/** The variables from which the preparing command and the manifests read the passwords of accounts. */
export const PASSWORD_VARIABLES = {
  rh_migrate: 'ROWHOUSE_MIGRATE_PASSWORD',
  rh_control: 'ROWHOUSE_CONTROL_PASSWORD',
  rh_worker: 'ROWHOUSE_WORKER_PASSWORD',
  rh_gateway: 'ROWHOUSE_GATEWAY_PASSWORD',
  rh_provisioner: 'ROWHOUSE_PROVISIONER_PASSWORD',
  rh_observer: 'ROWHOUSE_OBSERVER_PASSWORD',
};

/**
 * Returns all secrets that an installation without the launcher needs, as lines of an environment file.
 * @returns {string[]}
 */
export function makeSecretLines() {
  const { masterKey, pepper, serverPublicKey, serverPrivateKey } = makeSecrets();
  return [
    `ROWHOUSE_MASTER_KEY=${masterKey}`,
    `ROWHOUSE_PEPPER=${pepper}`,
    `ROWHOUSE_SERVER_PUBLIC_KEY=${serverPublicKey}`,
    `ROWHOUSE_SERVER_PRIVATE_KEY=${serverPrivateKey}`,
    ...[
      ...PLATFORM_ACCOUNTS,
      /** @type {const} */ ('rh_provisioner'),
      /** @type {const} */ ('rh_observer'),
    ].map((account) => `${PASSWORD_VARIABLES[account]}=${makePassword()}`),
    `MYSQL_ROOT_PASSWORD=${makePassword()}`,
    `PLATFORM_MYSQL_ROOT_PASSWORD=${makePassword()}`,
    `REDIS_PASSWORD=${makePassword()}`,
  ];
}

/**
 * Lists the lines that an environment file of an older version lacks.
 * @param {string} text the text of the file
 * @returns {string[]}
 */
export function listMissingSecretLines(text) {
  const names = new Set(text.split('\n').map((line) => line.split('=')[0]?.trim()));
  return makeSecretLines().filter((line) => !names.has(line.split('=')[0] ?? ''));
}

/**
 * Runs `node infra/local/make-secrets.mjs [--missing <file>]`, which prints all lines, or those that the file
 * lacks.
 */
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [option, file] = process.argv.slice(2);
  const lines =
    option === '--missing' && file !== undefined
      ? listMissingSecretLines(readFileSync(file, 'utf8'))
      : makeSecretLines();
  if (lines.length > 0) console.log(lines.join('\n'));
}
