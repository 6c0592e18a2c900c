import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Where the build lays the bundle of a process. @param {string} app a folder of `apps` */
export function bundleDir(app) {
  return join(rootDir, 'apps', app, 'dist', 'bundle');
}

/** Unpacked server packages, shared by every start and every test run of this user. */
export function cacheDir() {
  const base = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(base, 'rowhouse');
}

/** Everything that one installation keeps: data files, secrets, logs, state. */
export function defaultDataDir() {
  return resolve(rootDir, process.env['ROWHOUSE_DATA_DIR'] || '.rowhouse');
}

const SERVER_FOLDERS = [
  '/usr/sbin', '/usr/local/sbin', '/sbin', '/usr/local/bin', '/usr/bin', '/usr/libexec',
  '/opt/homebrew/bin', '/opt/homebrew/opt/mariadb/bin', '/opt/homebrew/opt/redis/bin', '/opt/homebrew/opt/valkey/bin',
  '/usr/local/opt/mariadb/bin', '/usr/local/opt/redis/bin', '/opt/local/bin',
];

/**
 * Looks on PATH and where servers usually lie (an ordinary user's PATH has no sbin).
 * @param {readonly string[]} names the first name found wins
 * @returns {string | null}
 */
export function findProgram(names) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...SERVER_FOLDERS].filter((folder) => folder !== '');
  for (const name of names) {
    for (const folder of folders) {
      const candidate = join(folder, name);
      try {
        accessSync(candidate, constants.X_OK);
        return candidate;
      } catch {
        // Not here.
      }
    }
  }
  return null;
}
