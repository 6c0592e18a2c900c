import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { READY_TIMEOUT_MS, readLogTail, startChild } from '../processes/child.mjs';
import { findProgram } from '../paths.mjs';
import { listBaseFlags, listServerFlags } from './mysql-flags.mjs';
import { readEngine } from './mysql-admin.mjs';
import { LauncherError } from '../report.mjs';

/**
 * @typedef {object} RunningMysql
 * @property {'mariadb' | 'mysql'} engine
 * @property {string} version
 * @property {string} host
 * @property {number} port
 * @property {string} user
 * @property {string} password
 * @property {string} socket
 * @property {import('../processes/child.mjs').Child} child
 * @property {(graceMs?: number) => Promise<void>} stop
 * @typedef {object} StartMysqlOptions
 * @property {'mariadb' | 'mysql'} engine
 * @property {import('./find-servers.mjs').ServerProgram} program
 * @property {string} homeDir holds `data`, `files`, `tmp` and the init file
 * @property {string} logFile
 * @property {number} port
 * @property {number} [adminPort] where workers log in even when the main port is full
 * @property {string} password the password of root
 * @property {number} [bufferPoolMb]
 * @property {'tenants' | 'platform'} [role] what the server holds; tenants' databases unless set
 * @property {string} [name] the name of the process in records; the engine unless set
 * @property {import('./mysql-flags.mjs').DirectAccess} [direct]
 * @property {readonly string[]} [flags] appended to all others
 * @property {boolean} [hasAccounts] whether the data folder has its accounts already; none is created or
 *   changed then
 * @property {(child: import('../processes/child.mjs').Child) => void} [onSpawn] called before the process is ready
 */

/**
 * The number of malloc arenas, which is so high that each thread of a tenants' server has its own. With
 * glibc's default of eight per processor, threads share arenas. A login could then wait for an arena whose
 * lock is held by a preempted low-priority thread.
 */
const MALLOC_ARENA_MAX = '4000';

/**
 * The size in bytes from which malloc returns freed memory to the operating system. By default glibc raises
 * this value to as much as 64 MiB for each arena. A session could then fill variables and clear them, and the
 * server would keep 170 MB that no share counts.
 */
const MALLOC_RETURNED_BYTES = '1048576';
const TENANT_MALLOC = {
  MALLOC_ARENA_MAX,
  MALLOC_MMAP_THRESHOLD_: MALLOC_RETURNED_BYTES,
  MALLOC_TRIM_THRESHOLD_: MALLOC_RETURNED_BYTES,
};

/** Default sizes of the buffer pool. The operating system provides pages when the server first uses them. */
const BUFFER_POOL_MB = { tenants: 256, platform: 64 };

const MADE_MARKER = '.rowhouse-made';
const SOCKET_NAME = 's.sock';

/** The longest socket path that every operating system accepts. */
const SOCKET_PATH_BYTES_MAX = 103;

/**
 * Returns the folder of the socket. It is next to the data where the path is short enough. Otherwise it is a
 * temporary folder whose name is recorded, so that the next start removes it.
 * @param {string} homeDir
 */
function chooseSocketFolder(homeDir) {
  const note = join(homeDir, 'socket-folder');
  if (existsSync(note)) rmSync(readFileSync(note, 'utf8'), { recursive: true, force: true });
  rmSync(note, { force: true });
  if (Buffer.byteLength(join(homeDir, SOCKET_NAME)) <= SOCKET_PATH_BYTES_MAX) return homeDir;
  const folder = mkdtempSync(join(tmpdir(), 'rh-'));
  writeFileSync(note, folder, { mode: 0o600 });
  return folder;
}

/**
 * Runs a private server on a data folder, which is created when it is missing.
 * @param {StartMysqlOptions} options
 * @returns {Promise<RunningMysql>}
 * @throws {LauncherError} with the log's last lines when the server does not come up
 */
export async function startMysqlServer(options) {
  const dataDir = join(options.homeDir, 'data');
  const filesDir = join(options.homeDir, 'files');
  const tmpDir = join(options.homeDir, 'tmp');
  for (const folder of [filesDir, tmpDir]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const socketDir = chooseSocketFolder(options.homeDir);
  const initFile = join(options.homeDir, 'init.sql');
  const input = {
    engine: options.engine,
    usrDir: options.program.usrDir,
    isUnpacked: options.program.origin === 'unpacked',
    dataDir,
    filesDir,
    tmpDir,
    socket: join(socketDir, SOCKET_NAME),
    pidFile: join(options.homeDir, 'pid'),
    initFile,
    port: options.port,
    ...(options.adminPort === undefined ? {} : { adminPort: options.adminPort }),
    bufferPoolMb: options.bufferPoolMb ?? BUFFER_POOL_MB[options.role ?? 'tenants'],
    ...(options.role === undefined ? {} : { role: options.role }),
    ...(options.direct === undefined ? {} : { direct: options.direct }),
  };
  if (!existsSync(join(dataDir, MADE_MARKER))) await makeDataFolder(options, input);
  // A server does not start when the system tablespace file is larger than its configured maximum.
  const systemSpaceMb = Math.ceil(
    (statSync(join(dataDir, 'ibdata1'), { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20,
  );
  const accounts = options.hasAccounts === true ? [] : listInitStatements(options.engine, options.password);
  writeFileSync(initFile, `${accounts.join('\n')}\n`, { mode: 0o600 });
  const child = await startChild({
    name: options.name ?? options.engine,
    command: options.program.command,
    args: [
      ...options.program.leadingArgs,
      ...listServerFlags({ ...input, systemSpaceMb }),
      ...(options.flags ?? []),
    ],
    env: {
      ...process.env,
      ...options.program.env,
      ...(options.role === 'platform' ? {} : TENANT_MALLOC),
    },
    logFile: options.logFile,
    parentDeathSignal: 'KILL',
  });
  options.onSpawn?.(child);
  const address = { host: '127.0.0.1', port: options.port, user: 'root', password: options.password };
  try {
    const found = await waitUntilReady(child, address, READY_TIMEOUT_MS);
    return {
      ...found,
      ...address,
      socket: input.socket,
      child,
      stop: (graceMs = 5_000) => child.stop(graceMs),
    };
  } catch (err) {
    await child.stop(2_000);
    throw err;
  }
}

/** @returns {string} a password that needs no escaping in SQL, URLs or shells */
export function makePassword() {
  return randomBytes(24).toString('base64url');
}

/**
 * Returns the statements that the server runs at each start, one per line. They remove the anonymous accounts
 * of mariadb-install-db, which would match logins over the socket.
 * @param {'mariadb' | 'mysql'} engine
 * @param {string} password
 */
function listInitStatements(engine, password) {
  const clean =
    engine === 'mariadb'
      ? [
          "DELETE FROM mysql.global_priv WHERE User = '' OR (User = 'root' AND Host NOT IN ('localhost', '127.0.0.1'));",
          'FLUSH PRIVILEGES;',
        ]
      : [];
  return [
    ...clean,
    ...['localhost', '127.0.0.1'].flatMap((host) => [
      `CREATE USER IF NOT EXISTS root@'${host}' IDENTIFIED BY '${password}';`,
      `ALTER USER root@'${host}' IDENTIFIED BY '${password}';`,
      `GRANT ALL PRIVILEGES ON *.* TO root@'${host}' WITH GRANT OPTION;`,
    ]),
  ];
}

/**
 * Creates the data folder. A marker file is written at the end, so that an interrupted attempt is detected.
 * The folder cannot be created elsewhere and then moved, because MySQL stores its path.
 * @param {StartMysqlOptions} options
 * @param {import('./mysql-flags.mjs').FlagInput} input
 */
async function makeDataFolder(options, input) {
  if (existsSync(join(input.dataDir, 'ibdata1')) && existsSync(join(input.dataDir, 'mysql', 'user.frm'))) {
    throw new LauncherError(`${input.dataDir} contains a database that this launcher did not create.`);
  }
  rmSync(input.dataDir, { recursive: true, force: true });
  mkdirSync(input.dataDir, { recursive: true, mode: 0o700 });
  const base = listBaseFlags(input);
  const [command, args] =
    options.engine === 'mysql'
      ? [options.program.command, [...options.program.leadingArgs, ...base, '--initialize-insecure']]
      : [
          findInstallScript(options.program),
          [
            ...base.filter((flag) => !flag.startsWith('--lc-messages-dir')),
            '--auth-root-authentication-method=normal',
            '--skip-test-db',
            '--skip-name-resolve',
          ],
        ];
  const path = [
    join(options.program.usrDir, 'bin'),
    join(options.program.usrDir, 'sbin'),
    process.env['PATH'],
  ].join(':');
  try {
    await promisify(execFile)(command, args, {
      env: { ...process.env, ...options.program.env, PATH: path },
      maxBuffer: 16 << 20,
    });
  } catch (err) {
    const { stdout, stderr } = /** @type {{stdout?: string, stderr?: string}} */ (err);
    throw new LauncherError('Creating the data folder of the database failed.', {
      logTail: `${stdout ?? ''}${stderr ?? ''}`.trimEnd().split('\n').slice(-20).join('\n'),
    });
  }
  writeFileSync(join(input.dataDir, MADE_MARKER), '');
}

/** @param {import('./find-servers.mjs').ServerProgram} program */
function findInstallScript(program) {
  const unpacked = join(program.usrDir, 'bin', 'mariadb-install-db');
  const script = existsSync(unpacked) ? unpacked : findProgram(['mariadb-install-db', 'mysql_install_db']);
  if (script === null)
    throw new LauncherError(`${program.command} was found, but mariadb-install-db was not.`);
  return script;
}

/**
 * @param {import('../processes/child.mjs').Child} child
 * @param {import('./mysql-admin.mjs').MysqlAddress} address
 * @param {number} timeoutMs
 */
async function waitUntilReady(child, address, timeoutMs) {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    if (child.exited)
      throw new LauncherError(`The database server did not start (${child.ending}).`, {
        logTail: readLogTail(child.logFile),
      });
    try {
      return await readEngine(address);
    } catch (err) {
      if (Date.now() > deadlineMs) {
        throw new LauncherError(
          `The database server did not respond within ${timeoutMs / 1000} s: ${/** @type {Error} */ (err).message}`,
          { logTail: readLogTail(child.logFile) },
        );
      }
    }
    await sleep(40);
  }
}

/**
 * Returns whether a folder already holds the data of a private server.
 * @param {string} homeDir
 */
export function hasMysqlData(homeDir) {
  return existsSync(join(homeDir, 'data', MADE_MARKER));
}
