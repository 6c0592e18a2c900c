import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Returns the folder into which the build writes the bundle of an app.
 * @param {string} app a folder of `apps`
 */
export function bundleDir(app) {
  return join(rootDir, 'apps', app, 'dist', 'bundle');
}

/** Returns the folder of unpacked server packages, which all starts and test runs of this user share. */
export function cacheDir() {
  const base = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(base, 'rowhouse');
}

/** Returns the folder that holds everything of one installation: data files, secrets, logs and state. */
export function defaultDataDir() {
  return resolve(rootDir, process.env['ROWHOUSE_DATA_DIR'] || '.rowhouse');
}

const SERVER_FOLDERS = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/sbin',
  '/usr/local/bin',
  '/usr/bin',
  '/usr/libexec',
  '/opt/homebrew/bin',
  '/opt/homebrew/opt/mariadb/bin',
  '/opt/homebrew/opt/redis/bin',
  '/opt/homebrew/opt/valkey/bin',
  '/usr/local/opt/mariadb/bin',
  '/usr/local/opt/redis/bin',
  '/opt/local/bin',
];

/**
 * Looks for a program on PATH and in the usual folders of servers, because an ordinary user's PATH has no
 * sbin.
 * @param {readonly string[]} names tried in order
 * @returns {string | null}
 */
export function findProgram(names) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...SERVER_FOLDERS].filter(
    (folder) => folder !== '',
  );
  for (const name of names) {
    for (const folder of folders) {
      const candidate = join(folder, name);
      try {
        accessSync(candidate, constants.X_OK);
        return candidate;
      } catch {
        // The program is not in this folder.
      }
    }
  }
  return null;
}
