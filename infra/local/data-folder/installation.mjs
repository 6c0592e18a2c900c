import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from './json-file.mjs';
import { LauncherError, PNPM } from '../report.mjs';
import { hasMysqlData, makePassword } from '../servers/start-mysql-server.mjs';

/**
 * Returns the path of each file that an installation has in its data folder.
 * @param {string} dataDir
 */
export function listInstallationPaths(dataDir) {
  return {
    dataDir,
    lock: join(dataDir, 'launcher.lock'),
    state: join(dataDir, 'state.json'),
    secrets: join(dataDir, 'secrets.json'),
    processes: join(dataDir, 'processes.json'),
    run: join(dataDir, 'run.json'),
    demo: join(dataDir, 'demo.json'),
    server: join(dataDir, 'server.json'),
    logs: join(dataDir, 'logs'),
    mysql: join(dataDir, 'mysql'),
    platform: join(dataDir, 'platform'),
    redis: join(dataDir, 'redis'),
    tls: join(dataDir, 'tls'),
  };
}

/** @typedef {ReturnType<typeof listInstallationPaths>} InstallationPaths */

/**
 * Holds the ports and passwords that stay the same from start to start.
 * @typedef {object} InstallationState
 * @property {Record<string, number>} ports by purpose, such as mysql, platform, redis, control and gateway
 * @property {Record<string, string>} passwords by account name
 * @property {'mariadb' | 'mysql'} [engine] the engine of the private server of tenants' databases; older
 *   versions had only MariaDB and did not record it
 * @property {boolean} [hasPlatform] whether a start has finished with a platform database on its own server
 * @typedef {object} InstallationSecrets
 * @property {string} masterKey base64url of 32 bytes
 * @property {string[]} [previousMasterKeys] during a rotation: the earlier keys, which some data is still
 *   encrypted with
 * @property {string} pepper base64url of 32 bytes
 * @property {string} serverPublicKey base64url of the DER spki of an X25519 key
 * @property {string} serverPrivateKey base64url of its DER pkcs8
 */

/**
 * @param {InstallationPaths} paths
 * @returns {InstallationState}
 */
export function readState(paths) {
  mkdirSync(paths.dataDir, { recursive: true, mode: 0o700 });
  return readJsonFile(paths.state) ?? { ports: {}, passwords: {} };
}

/**
 * Returns the password of an account. The first call creates it.
 * @param {InstallationState} state
 * @param {string} account
 */
export function takePassword(state, account) {
  return (state.passwords[account] ??= makePassword());
}

/**
 * Returns the secrets of the installation. They are created by the first start only, because the data in the
 * databases can be decrypted with no others.
 * @param {InstallationPaths} paths
 * @returns {{secrets: InstallationSecrets, isNew: boolean}}
 * @throws {LauncherError} when there is data but no secrets
 */
export function provideSecrets(paths) {
  const retained = /** @type {InstallationSecrets | null} */ (readJsonFile(paths.secrets));
  if (retained !== null) return { secrets: retained, isNew: false };
  const withData = [paths.platform, paths.mysql].find((folder) => hasMysqlData(folder));
  if (withData !== undefined && existsSync(paths.run)) {
    throw new LauncherError(
      `${paths.secrets} is missing. The data in ${withData} cannot be read without it.`,
      {
        hint: `Restore the file from your backup, or start over with: ${PNPM} start --reset`,
      },
    );
  }
  const secrets = makeSecrets();
  writeJsonFile(paths.secrets, secrets);
  return { secrets, isNew: true };
}

/**
 * Creates a new master key. The current one stays as a previous key until the next start has encrypted
 * everything again.
 * @param {InstallationPaths} paths
 * @throws {LauncherError} when a rotation is in progress, or there is no installation
 */
export function beginKeyRotation(paths) {
  const secrets = /** @type {InstallationSecrets | null} */ (readJsonFile(paths.secrets));
  if (secrets === null)
    throw new LauncherError(`There is no installation in ${paths.dataDir}.`, {
      hint: 'Set ROWHOUSE_DATA_DIR to the folder of the installation.',
    });
  if ((secrets.previousMasterKeys ?? []).length > 0)
    throw new LauncherError('A rotation of the master key is in progress.', {
      hint: 'Start Rowhouse. It re-encrypts the remaining secrets and then drops the previous key.',
    });
  writeJsonFile(paths.secrets, {
    ...secrets,
    masterKey: randomBytes(32).toString('base64url'),
    previousMasterKeys: [secrets.masterKey],
  });
}

/**
 * Removes the previous keys from the secrets. Call this once everything is encrypted with the new key.
 * @param {InstallationPaths} paths
 * @param {InstallationSecrets} secrets
 * @returns {InstallationSecrets}
 */
export function dropPreviousKeys(paths, { previousMasterKeys: _dropped, ...secrets }) {
  writeJsonFile(paths.secrets, secrets);
  return secrets;
}

/** @returns {InstallationSecrets} */
export function makeSecrets() {
  const pair = generateKeyPairSync('x25519');
  return {
    masterKey: randomBytes(32).toString('base64url'),
    pepper: randomBytes(32).toString('base64url'),
    serverPublicKey: pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
    serverPrivateKey: pair.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url'),
  };
}

/**
 * Removes an installation, but only files that a launcher created. Other files in the folder stay.
 * @param {InstallationPaths} paths
 */
export function removeInstallation(paths) {
  for (const path of [
    paths.mysql,
    paths.platform,
    paths.redis,
    paths.tls,
    paths.logs,
    paths.state,
    paths.secrets,
    paths.run,
    paths.demo,
    paths.server,
    paths.processes,
  ]) {
    rmSync(path, { recursive: true, force: true });
  }
}
