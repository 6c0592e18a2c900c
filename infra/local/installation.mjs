import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from './json-file.mjs';
import { LauncherError, PNPM } from './report.mjs';
import { hasMysqlData, makePassword } from './start-mysql-server.mjs';

/**
 * What one installation keeps in its data folder, file by file.
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
 * Ports and passwords that stay the same from start to start.
 *
 * @typedef {object} InstallationState
 * @property {Record<string, number>} ports by purpose: mysql, platform, redis, control, gateway, …
 * @property {Record<string, string>} passwords by account name
 * @property {'mariadb' | 'mysql'} [engine] of the private server of tenants' databases; older versions had MariaDB and did not record it
 * @property {boolean} [hasPlatform] whether a start has finished with the platform database on a server of its own
 *
 * @typedef {object} InstallationSecrets
 * @property {string} masterKey base64url of 32 bytes
 * @property {string[]} [previousMasterKeys] while it is being changed: those that sealed before
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
 * The password of an account, made when it is first asked for.
 * @param {InstallationState} state
 * @param {string} account
 */
export function takePassword(state, account) {
  return (state.passwords[account] ??= makePassword());
}

/**
 * Made on the first start and never again: without them what the database holds cannot be read.
 *
 * @param {InstallationPaths} paths
 * @returns {{secrets: InstallationSecrets, isNew: boolean}}
 * @throws {LauncherError} when the data are there and the secrets are not
 */
export function provideSecrets(paths) {
  const kept = /** @type {InstallationSecrets | null} */ (readJsonFile(paths.secrets));
  if (kept !== null) return { secrets: kept, isNew: false };
  const withData = [paths.platform, paths.mysql].find((folder) => hasMysqlData(folder));
  if (withData !== undefined && existsSync(paths.run)) {
    throw new LauncherError(`${paths.secrets} is gone, and the data in ${withData} cannot be read without it.`, {
      hint: `Put the file back from your backup, or begin anew with: ${PNPM} start --reset`,
    });
  }
  const secrets = makeSecrets();
  writeJsonFile(paths.secrets, secrets);
  return { secrets, isNew: true };
}

/**
 * A new master key, and the one of now behind it until everything is sealed anew, which the next start does.
 * @param {InstallationPaths} paths
 * @throws {LauncherError} when a change is under way already, or there is no installation
 */
export function beginKeyRotation(paths) {
  const secrets = /** @type {InstallationSecrets | null} */ (readJsonFile(paths.secrets));
  if (secrets === null) throw new LauncherError(`There is no installation in ${paths.dataDir}.`, { hint: 'ROWHOUSE_DATA_DIR names another folder.' });
  if ((secrets.previousMasterKeys ?? []).length > 0) throw new LauncherError('The master key is being changed already.', { hint: 'Start Rowhouse: it seals what is left anew and drops the key before.' });
  writeJsonFile(paths.secrets, { ...secrets, masterKey: randomBytes(32).toString('base64url'), previousMasterKeys: [secrets.masterKey] });
}

/**
 * Everything is sealed under the new key.
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
 * Forgets an installation: only what a launcher made, whatever else lies in the folder.
 * @param {InstallationPaths} paths
 */
export function removeInstallation(paths) {
  for (const path of [paths.mysql, paths.platform, paths.redis, paths.tls, paths.logs, paths.state, paths.secrets, paths.run, paths.demo, paths.server, paths.processes]) {
    rmSync(path, { recursive: true, force: true });
  }
}
