import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDir, findProgram } from '../paths.mjs';
import { LauncherError } from '../report.mjs';
import { forgetUnpacked, unpackDebianPackages } from './unpack-debian.mjs';

/**
 * Describes how to run one server program of this machine.
 * @typedef {object} ServerProgram
 * @property {string} command
 * @property {string[]} leadingArgs come before every other argument (the loader of unpacked packages)
 * @property {Record<string, string>} env added to the environment
 * @property {string} usrDir the folder that holds bin, sbin and share
 * @property {string} version
 * @property {'found' | 'unpacked'} origin
 * @typedef {import('../report.mjs').Report} Report
 */

const NO_SERVERS_HINT = [
  'You can:',
  '  1. install MariaDB and Redis (Debian, Ubuntu: mariadb-server and redis-server; macOS: brew install mariadb redis)',
  '  2. use existing servers: MYSQL_URL=mysql://user:password@host:port for databases of projects, PLATFORM_MYSQL_URL=mysql://… for the',
  '     platform database, which must be on a different database server, and REDIS_URL=redis://host:port',
  '  3. run docker compose -f docker/compose.yaml up',
].join('\n');

/** The packages of MariaDB and Redis are fetched together, so that apt runs once. */
const DEBIAN_SERVERS = {
  name: 'debian-servers',
  packages: [
    ['mariadb-server-core', 'mariadb-server-core-10.6'],
    ['mariadb-client-core', 'mariadb-client-core-10.6'],
    ['redis-server', 'valkey-server'],
  ],
};

/** The folder of MySQL's packages in the cache. */
const DEBIAN_MYSQL = 'debian-mysql';

/** The server programs to look for on this machine, each with the files that must exist next to it. */
const ON_MACHINE = {
  mariadb: () =>
    findProgram(['mariadb-install-db', 'mysql_install_db']) === null ? null : findProgram(['mariadbd']),
  mysql: () => findOracleMysqld(),
  redis: () => findProgram(['redis-server', 'valkey-server']),
};
const UNPACKED = {
  mariadb: ['sbin/mariadbd'],
  mysql: ['sbin/mysqld'],
  redis: ['bin/redis-server', 'bin/valkey-server'],
};

/**
 * Returns the program that a start would run now, without fetching anything. Returns null when there is none.
 * @param {'mariadb' | 'mysql' | 'redis'} server
 * @returns {{command: string, origin: 'found' | 'unpacked'} | null}
 */
export function locateServer(server) {
  const found = ON_MACHINE[server]();
  if (found !== null) return { command: found, origin: 'found' };
  const unpacked = UNPACKED[server]
    .map((path) =>
      join(cacheDir(), server === 'mysql' ? DEBIAN_MYSQL : DEBIAN_SERVERS.name, 'root', 'usr', path),
    )
    .find((path) => existsSync(path));
  return unpacked === undefined ? null : { command: unpacked, origin: 'unpacked' };
}

/** Returns the `mysqld` of this machine. Returns null if that program is MariaDB. */
function findOracleMysqld() {
  const command = findProgram(['mysqld']);
  return command === null || /mariadb/i.test(execFileSync(command, ['--version'], { encoding: 'utf8' }))
    ? null
    : command;
}

/**
 * @param {Report} report
 * @returns {Promise<ServerProgram>}
 */
export async function findMariadb(report) {
  const command = ON_MACHINE.mariadb();
  if (command !== null) {
    return describeFound(command);
  }
  return findUnpacked(report, (usrDir) => join(usrDir, 'sbin', 'mariadbd'));
}

/**
 * Describes a program of this machine.
 * @param {string} command
 */
function describeFound(command) {
  return describe({
    command,
    leadingArgs: [],
    env: {},
    usrDir: dirname(dirname(command)),
    origin: 'found',
  });
}

/**
 * @param {Report} report
 * @returns {Promise<ServerProgram>}
 */
export async function findRedis(report) {
  const command = ON_MACHINE.redis();
  if (command !== null) return describeFound(command);
  return findUnpacked(report, (usrDir) =>
    firstExisting([join(usrDir, 'bin', 'redis-server'), join(usrDir, 'bin', 'valkey-server')]),
  );
}

const NO_MYSQL_HINT =
  'Install MySQL 8.0 or newer (mysqld on PATH), set MYSQL_URL to a server of yours, or unset ' +
  'ROWHOUSE_ENGINE to use MariaDB.';

/**
 * Returns Oracle's server, for `ROWHOUSE_ENGINE=mysql` and for tests on a second engine. Debian has it only
 * in its unstable suite. So the server is unpacked with all of its dependencies, and their own loader runs
 * it.
 * @param {Report} report
 * @returns {Promise<ServerProgram>}
 */
export async function findMysql(report) {
  const command = findOracleMysqld();
  if (command !== null) return describeFound(command);
  const name = DEBIAN_MYSQL;
  const request = {
    name,
    packages: [['mysql-server-core']],
    suite: 'sid',
    leaveOut: /^(perl|libperl|libdb|libgdbm)/,
    report,
  };
  const build = (/** @type {string} */ root) => {
    const usrDir = join(root, 'usr');
    const server = join(usrDir, 'sbin', 'mysqld');
    const loader = findLoader(usrDir);
    const libraryPath = [...listLibraryFolders(usrDir), join(usrDir, 'lib', 'mysql', 'private')].join(':');
    return describe({
      command: loader,
      leadingArgs: ['--library-path', libraryPath, '--argv0', 'mysqld', server],
      env: {},
      usrDir,
      origin: 'unpacked',
    });
  };
  return withHint(NO_MYSQL_HINT, () =>
    tryTwice(name, async () => build(await unpackDebianPackages(request))),
  );
}

/**
 * Returns MariaDB's command-line client, for tests of connection strings. Returns null if this machine has
 * none.
 * @param {Report} report
 * @returns {Promise<{command: string, env: Record<string, string>} | null>}
 */
export async function findMariadbClient(report) {
  const command = findProgram(['mariadb', 'mysql']);
  if (command !== null) return { command, env: {} };
  const { usrDir, env } = await findMariadb(report);
  const unpacked = join(usrDir, 'bin', 'mariadb');
  return existsSync(unpacked) ? { command: unpacked, env } : null;
}

/**
 * Returns Oracle's command-line client, which is in a separate package from the server.
 * @param {Report} report
 * @returns {Promise<{command: string, leadingArgs: string[], env: Record<string, string>}>}
 */
export async function findMysqlClient(report) {
  const command = findProgram(['mysql']);
  if (command !== null && !/mariadb/i.test(execFileSync(command, ['--version'], { encoding: 'utf8' })))
    return { command, leadingArgs: [], env: {} };
  const name = 'debian-mysql-client';
  const request = {
    name,
    packages: [['mysql-client-core']],
    suite: 'sid',
    leaveOut: /^(perl|libperl|libdb|libgdbm)/,
    report,
  };
  return tryTwice(name, async () => {
    const usrDir = join(await unpackDebianPackages(request), 'usr');
    return {
      command: findLoader(usrDir),
      leadingArgs: [
        '--library-path',
        listLibraryFolders(usrDir).join(':'),
        '--argv0',
        'mysql',
        join(usrDir, 'bin', 'mysql'),
      ],
      env: {},
    };
  });
}

/**
 * @param {Report} report
 * @param {(usrDir: string) => string} chooseCommand
 */
async function findUnpacked(report, chooseCommand) {
  return withHint(NO_SERVERS_HINT, () =>
    tryTwice(DEBIAN_SERVERS.name, async () => {
      const usrDir = join(await unpackDebianPackages({ ...DEBIAN_SERVERS, report }), 'usr');
      const env = { LD_LIBRARY_PATH: listLibraryFolders(usrDir).join(':') };
      return describe({ command: chooseCommand(usrDir), leadingArgs: [], env, usrDir, origin: 'unpacked' });
    }),
  );
}

/**
 * Adds a hint to what the launcher reports when it finds no server.
 * @template T
 * @param {string} hint
 * @param {() => Promise<T>} attempt
 * @returns {Promise<T>}
 */
async function withHint(hint, attempt) {
  try {
    return await attempt();
  } catch (err) {
    if (err instanceof LauncherError)
      throw new LauncherError(err.message, {
        hint,
        ...(err.logTail === undefined ? {} : { logTail: err.logTail }),
      });
    throw err;
  }
}

/**
 * Runs `attempt`, and once more with a new cache when it fails. A cache older than the last update of the
 * system may lack a library.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} attempt
 * @returns {Promise<T>}
 */
async function tryTwice(name, attempt) {
  try {
    return await attempt();
  } catch (err) {
    if (err instanceof LauncherError) throw err;
    forgetUnpacked(name);
    return await attempt();
  }
}

/**
 * @param {Omit<ServerProgram, 'version'>} program
 * @returns {ServerProgram}
 */
function describe(program) {
  const version = execFileSync(program.command, [...program.leadingArgs, '--version'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...program.env },
  });
  return { ...program, version: version.trim().split('\n')[0] ?? '' };
}

/**
 * Lists the library folders, such as `usr/lib/x86_64-linux-gnu`.
 * @param {string} usrDir
 * @returns {string[]}
 */
function listLibraryFolders(usrDir) {
  const parent = join(usrDir, 'lib');
  return readdirSync(parent)
    .filter((name) => name.includes('-linux-gnu'))
    .map((name) => join(parent, name));
}

/**
 * Returns the loader that runs a program whose packages bring their own C library.
 * @param {string} usrDir
 */
function findLoader(usrDir) {
  return firstExisting(
    listLibraryFolders(usrDir).flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => /^ld-linux.*\.so/.test(file))
        .map((file) => join(folder, file)),
    ),
  );
}

/** @param {readonly string[]} candidates */
function firstExisting(candidates) {
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`none of ${candidates.join(', ')} exists`);
  return found;
}
