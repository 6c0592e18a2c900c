import { createHash } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { listInstallationPaths } from './installation.mjs';
import { readJsonFile, writeJsonFile } from './json-file.mjs';
import { acquireLock } from '../processes/lock-file.mjs';
import { rootDir } from '../paths.mjs';
import { isStillRunning } from '../processes/process-identity.mjs';
import { LauncherError } from '../report.mjs';
import { hasMysqlData } from '../servers/start-mysql-server.mjs';

/**
 * The files and folders that a backup contains. A start creates all others again: Redis data, logs, sockets
 * and the record of processes.
 */
const BACKED_UP = [
  'secrets.json',
  'state.json',
  'run.json',
  'demo.json',
  'tls',
  join('mysql', 'data'),
  join('platform', 'data'),
];
const MANIFEST = 'backup.json';
const FORMAT = 1;

/**
 * @typedef {object} Manifest
 * @property {number} format
 * @property {string} version of the product that wrote the backup
 * @property {string} made_at
 * @property {{path: string, bytes: number, sha256: string}[]} files
 */

/**
 * Copies a stopped installation: the platform database, the tenants' databases and the secrets that decrypt
 * them, all from the same moment.
 * @param {string} dataDir
 * @param {string} target a folder that must not exist yet
 * @returns {Promise<Manifest>}
 * @throws {LauncherError} when the installation runs or does not exist, or `target` exists
 */
export async function writeBackup(dataDir, target) {
  const paths = listInstallationPaths(dataDir);
  if (!existsSync(paths.secrets) || !(hasMysqlData(paths.mysql) || hasMysqlData(paths.platform))) {
    throw new LauncherError(`${dataDir} has no installation with a private database.`, {
      hint: 'Set ROWHOUSE_DATA_DIR to the folder of the installation. Back up databases of MYSQL_URL and PLATFORM_MYSQL_URL with your own tools, together with secrets.json.',
    });
  }
  if (existsSync(target))
    throw new LauncherError(`${target} already exists.`, { hint: 'Choose a folder that does not exist.' });
  if (isInside(target, dataDir))
    throw new LauncherError('A backup cannot be inside the folder that it backs up.');
  const release = await holdStopped(paths);
  const temporaryPath = `${target}.part`;
  try {
    rmSync(temporaryPath, { recursive: true, force: true });
    const files = [];
    for (const path of BACKED_UP.flatMap((part) => listFiles(dataDir, join(dataDir, part))))
      files.push(await copyAndHash(dataDir, temporaryPath, path));
    /** @type {Manifest} */
    const manifest = {
      format: FORMAT,
      version: JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')).version,
      made_at: new Date().toISOString(),
      files,
    };
    writeJsonFile(join(temporaryPath, MANIFEST), manifest);
    renameSync(temporaryPath, target);
    return manifest;
  } catch (err) {
    rmSync(temporaryPath, { recursive: true, force: true });
    throw err;
  } finally {
    release();
  }
}

/**
 * Copies a backup into a data folder that is missing or empty, once the checksum of every file matches the
 * manifest.
 * @param {string} backup
 * @param {string} dataDir
 * @returns {Promise<Manifest>}
 * @throws {LauncherError} when a file is missing or has changed, or the data folder is not empty; in these
 *   cases nothing is written
 */
export async function restoreBackup(backup, dataDir) {
  const manifest = /** @type {Manifest | null} */ (readJsonFile(join(backup, MANIFEST)));
  if (manifest === null) throw new LauncherError(`${backup} is not a backup: it has no ${MANIFEST}.`);
  if (manifest.format !== FORMAT)
    throw new LauncherError(`${backup} has format ${manifest.format}; this version reads ${FORMAT}.`);
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new LauncherError(`${dataDir} is not empty.`, {
      hint: 'Set ROWHOUSE_DATA_DIR to a folder that does not exist, and restore into that.',
    });
  const temporaryPath = `${dataDir}.restoring`;
  rmSync(temporaryPath, { recursive: true, force: true });
  try {
    for (const file of manifest.files) {
      if (!isInside(join(temporaryPath, file.path), temporaryPath))
        throw new LauncherError(`${file.path} would be outside the data folder.`);
      if (!existsSync(join(backup, file.path)))
        throw new LauncherError(`${file.path} is missing in ${backup}.`);
      const { sha256 } = await copyAndHash(backup, temporaryPath, file.path);
      if (sha256 !== file.sha256)
        throw new LauncherError(`${file.path} in ${backup} has changed since the backup.`);
    }
    if (existsSync(dataDir)) rmdirSync(dataDir);
    renameSync(temporaryPath, dataDir);
    return manifest;
  } catch (err) {
    rmSync(temporaryPath, { recursive: true, force: true });
    throw err;
  }
}

/**
 * Checks that no process of the installation runs, and locks it so that it cannot be started.
 * @param {import('./installation.mjs').InstallationPaths} paths
 */
async function holdStopped(paths) {
  const lock = await acquireLock(paths.lock);
  if (!lock.held)
    throw new LauncherError(`Rowhouse is running on ${paths.dataDir} (process ${lock.holder.pid}).`, {
      hint: 'Stop Rowhouse first. The files of a running database are not a valid copy.',
    });
  const left = /** @type {{name: string, pid: number, startTime: string}[]} */ (
    readJsonFile(paths.processes) ?? []
  ).find((item) => isStillRunning(item));
  if (left === undefined) return lock.release;
  lock.release();
  throw new LauncherError(
    `${left.name} (process ${left.pid}) is still running, although its launcher was killed.`,
    { hint: 'Start Rowhouse once and stop it.' },
  );
}

/**
 * Lists the files below a path, or the path itself, relative to `base`. Sockets and other special files are
 * left out. Symbolic links are followed, because a data folder may be on another disk.
 * @param {string} base
 * @param {string} path
 * @returns {string[]}
 * @throws {LauncherError} for a dangling link
 */
function listFiles(base, path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    throw new LauncherError(`${path} is a link to ${readlinkSync(path)}, which does not exist.`, {
      hint: 'Check whether a disk is missing. Without this file, the backup would be incomplete.',
    });
  }
  if (found === undefined) return [];
  if (found.isFile()) return [relative(base, path)];
  return found.isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => listFiles(base, join(path, name)))
    : [];
}

/**
 * @param {string} from
 * @param {string} to
 * @param {string} path in both
 * @returns {Promise<{path: string, bytes: number, sha256: string}>} of the copy
 */
async function copyAndHash(from, to, path) {
  const copy = join(to, path);
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  copyFileSync(join(from, path), copy, constants.COPYFILE_FICLONE);
  chmodSync(copy, 0o600);
  const hash = createHash('sha256');
  await pipeline(createReadStream(copy), hash);
  return { path, bytes: statSync(copy).size, sha256: hash.digest('hex') };
}

/** @param {string} path @param {string} folder */
function isInside(path, folder) {
  return resolve(path).startsWith(resolve(folder) + sep);
}
