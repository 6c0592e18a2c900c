import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { provideCertificate } from './certificates.mjs';
import { ENGINE_NAMES } from './choose-engine.mjs';
import { findMariadb, findMysql, findRedis } from './find-servers.mjs';
import { takePassword } from '../data-folder/installation.mjs';
import { readEngine, withConnection } from './mysql-admin.mjs';
import { hintAtTls, readGivenMysql } from './read-given-mysql.mjs';
import { sendRedisCommand } from './redis-command.mjs';
import { findRedisServer } from './redis-servers.mjs';
import { LauncherError } from '../report.mjs';
import { startMysqlServer } from './start-mysql-server.mjs';
import { startRedis } from './start-redis.mjs';
import { supervise } from '../processes/supervise.mjs';

/**
 * @typedef {object} ProvidedMysql
 * @property {'mariadb' | 'mysql'} engine
 * @property {string} version
 * @property {import('./mysql-admin.mjs').MysqlAddress} admin
 * @property {string} accountHost the host from which accounts may log in
 * @property {'off' | 'required'} tls
 * @property {number | null} adminPort the port on which workers can log in even when the main port has no
 *   free connection
 * @property {{host: string, caPem: string} | null} direct the address at which clients on other machines
 *   reach the server over TLS
 * @typedef {object} ProvideOptions
 * @property {import('../data-folder/installation.mjs').InstallationPaths} paths
 * @property {import('../data-folder/installation.mjs').InstallationState} state
 * @property {NodeJS.ProcessEnv} env
 * @property {import('../report.mjs').Report} report
 * @property {() => void} onChange
 * @property {(name: string, process: import('../processes/supervise.mjs').Supervised) => void} onProcess called before
 *   the process is ready
 */

/**
 * Provides the server of tenants' databases: the one of `MYSQL_URL`, or a private one.
 * @param {ProvideOptions} options
 * @returns {Promise<ProvidedMysql>}
 */
export async function provideMysql(options) {
  const { paths, state, env } = options;
  const url = env['MYSQL_URL'];
  if (url && env['DIRECT_BIND'])
    throw new LauncherError(
      'DIRECT_BIND is for the server that the launcher starts, but MYSQL_URL names your own.',
      { hint: 'Set MYSQL_PUBLIC_HOST, MYSQL_PUBLIC_PORT and MYSQL_PUBLIC_TLS for your server instead.' },
    );
  if (url) return checkGivenMysql(url, env);
  const opened = openDirectAccess(paths, env);
  const engine = state.engine ?? 'mariadb';
  const server = await startPrivateMysql(options, {
    planName: 'mysql',
    name: engine,
    engine,
    title: `${ENGINE_NAMES[engine]} for tenants' databases`,
    homeDir: paths.mysql,
    password: takePassword(state, 'root'),
    port: state.ports['mysql'],
    adminPort: state.ports['mysql_admin'],
    role: 'tenants',
    ...(opened === null ? {} : { direct: opened.access }),
  });
  return { ...server, direct: opened && { host: opened.host, caPem: opened.caPem } };
}

/**
 * Provides the server of the platform database, which holds nothing else: the one of `PLATFORM_MYSQL_URL`, or
 * a private one. A private one listens on loopback only, even if `DIRECT_BIND` is set.
 * @param {ProvideOptions} options
 * @returns {Promise<ProvidedMysql>}
 */
export async function providePlatformMysql(options) {
  const { paths, state, env } = options;
  const url = env['PLATFORM_MYSQL_URL'];
  if (url) return checkGivenMysql(url, env, 'PLATFORM_MYSQL_URL');
  return startPrivateMysql(options, {
    planName: 'platform-mysql',
    name: 'mariadb-platform',
    engine: 'mariadb',
    title: 'MariaDB for the platform database',
    homeDir: paths.platform,
    password: takePassword(state, 'platform_root'),
    port: state.ports['platform'],
    role: 'platform',
  });
}

/**
 * @param {ProvideOptions} options
 * @param {{planName: string, name: string, engine: 'mariadb' | 'mysql', title: string, homeDir: string, password: string, port: number | undefined, adminPort?: number | undefined, role: 'tenants' | 'platform', direct?: import('./mysql-flags.mjs').DirectAccess}} wanted
 *   `name` is the name of the process and its log
 * @returns {Promise<ProvidedMysql>}
 */
async function startPrivateMysql(
  { paths, report, onChange, onProcess },
  { planName, name, engine, title, homeDir, password, port = 0, adminPort, role, direct },
) {
  const program = await (engine === 'mysql' ? findMysql(report) : findMariadb(report));
  report.step(
    `Starting ${title} on port ${port} (${program.origin === 'found' ? program.command : 'unpacked packages'})`,
  );
  /** @type {string} */
  let version = '';
  const process = supervise({
    name,
    report,
    onChange,
    start: async (onSpawn) => {
      const server = await startMysqlServer({
        engine,
        program,
        homeDir,
        logFile: join(paths.logs, `${name}.log`),
        port,
        password,
        role,
        name,
        onSpawn,
        ...(adminPort === undefined ? {} : { adminPort }),
        ...(direct === undefined ? {} : { direct }),
      });
      version = server.version;
    },
  });
  onProcess(planName, process);
  await process.started;
  return {
    engine,
    version,
    admin: { host: '127.0.0.1', port, user: 'root', password },
    accountHost: '127.0.0.1',
    tls: 'off',
    adminPort: adminPort ?? null,
    direct: null,
  };
}

/**
 * Returns the address to listen on that `DIRECT_BIND` asks for, with a certificate for the names that clients
 * use. Returns null without `DIRECT_BIND`.
 * @param {import('../data-folder/installation.mjs').InstallationPaths} paths
 * @param {NodeJS.ProcessEnv} env
 * @returns {{host: string, caPem: string, access: import('./mysql-flags.mjs').DirectAccess} | null}
 */
function openDirectAccess(paths, env) {
  const bind = env['DIRECT_BIND'];
  if (!bind || bind === '127.0.0.1') return null;
  if (isIP(bind) === 0)
    throw new LauncherError(
      `DIRECT_BIND is ${bind}, which is not an IP address. Use an address of this machine, or 0.0.0.0 for all addresses.`,
    );
  const isEvery = bind === '0.0.0.0' || bind === '::';
  const host = env['MYSQL_PUBLIC_HOST'] ?? (isEvery ? hostname() : bind);
  const certificate = provideCertificate(paths.tls, [
    ...new Set([host, ...(isEvery ? [] : [bind]), 'localhost', '127.0.0.1']),
  ]);
  return { host, caPem: certificate.caPem, access: { bind, certificate } };
}

/**
 * Provides the Redis of `REDIS_URL`, or a private one.
 * @param {ProvideOptions} options
 * @returns {Promise<string>} its address
 */
export async function provideRedis(options) {
  const { paths, state, env, report } = options;
  const url = env['REDIS_URL'];
  if (url) {
    await checkGivenRedis(url, report);
    return url;
  }
  const program = await findRedis(report);
  const password = takePassword(state, 'redis');
  const port = /** @type {number} */ (state.ports['redis']);
  report.step(`Starting Redis on port ${port}`);
  const process = supervise({
    name: 'redis',
    report,
    onChange: options.onChange,
    start: (onSpawn) =>
      startRedis({
        program,
        homeDir: paths.redis,
        logFile: join(paths.logs, 'redis.log'),
        port,
        password,
        onSpawn,
      }),
  });
  options.onProcess('redis', process);
  await process.started;
  return `redis://:${password}@127.0.0.1:${port}`;
}

/**
 * @param {string} url
 * @param {NodeJS.ProcessEnv} env
 * @param {'MYSQL_URL' | 'PLATFORM_MYSQL_URL'} [variable] the variable that holds the address
 * @returns {Promise<ProvidedMysql>}
 */
export async function checkGivenMysql(url, env, variable = 'MYSQL_URL') {
  const admin = readGivenMysql(url, env, variable);
  const where = `${admin.host}:${admin.port} (${variable})`;
  const { engine, version } = await readEngine(admin).catch((err) => {
    const hint = hintAtTls(err, admin.tls);
    throw new LauncherError(
      `Connecting to the database at ${where} failed: ${err.message}`,
      hint === undefined ? {} : { hint },
    );
  });
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isRecent = engine === 'mariadb' ? major > 10 || (major === 10 && minor >= 6) : major >= 8;
  if (!isRecent)
    throw new LauncherError(
      `${where} is ${engine} ${version}; Rowhouse needs MariaDB 10.6 or MySQL 8.0, or later.`,
    );
  await checkRights(admin, where);
  return {
    engine,
    version,
    admin,
    accountHost: '%',
    tls: admin.tls,
    adminPort: Number(env['MYSQL_ADMIN_PORT'] ?? 0) || null,
    direct: null,
  };
}

/**
 * @param {import('./mysql-admin.mjs').MysqlAddress} admin
 * @param {string} where
 */
async function checkRights(admin, where) {
  const rows = await withConnection(admin, async (connection) => {
    const [found] = await connection.query(
      'SELECT PRIVILEGE_TYPE AS right_name, IS_GRANTABLE AS grantable FROM information_schema.USER_PRIVILEGES WHERE GRANTEE = CONCAT("\'", REPLACE(CURRENT_USER(), "@", "\'@\'"), "\'")',
    );
    return /** @type {{right_name: string, grantable: string}[]} */ (found);
  });
  const held = new Set(rows.filter((row) => row.grantable === 'YES').map((row) => row.right_name));
  const missing = [
    'CREATE',
    'CREATE USER',
    'SELECT',
    'INSERT',
    'UPDATE',
    'DELETE',
    'ALTER',
    'DROP',
    'TRIGGER',
    'PROCESS',
    'REFERENCES',
  ].filter((right) => !held.has(right));
  if (missing.length > 0) {
    throw new LauncherError(
      `${admin.user} at ${where} lacks privileges with GRANT OPTION: ${missing.join(', ')}.`,
      {
        hint: 'The launcher creates schemas and accounts with this user. Grant it ALL PRIVILEGES ON *.* WITH GRANT OPTION.',
      },
    );
  }
}

/**
 * @param {string} url
 * @param {import('../report.mjs').Report} report
 */
async function checkGivenRedis(url, report) {
  const refuse = (/** @type {Error} */ err) => {
    throw new LauncherError(`Connecting to the Redis of REDIS_URL failed: ${err.message}`);
  };
  const server = await findRedisServer(url).catch(refuse);
  const send = (/** @type {string[]} */ command) => sendRedisCommand(server, command).catch(refuse);
  const info = String(await send(['INFO', 'server']));
  const major = Number(/^(?:valkey|redis)_version:(\d+)/m.exec(info)?.[1] ?? 0);
  if (major < 6)
    throw new LauncherError(`The Redis of REDIS_URL has version ${major}; Rowhouse needs 6.2 or later.`);
  const policy = await sendRedisCommand(server, ['CONFIG', 'GET', 'maxmemory-policy']).catch(() => null);
  if (policy === null)
    report.warn('The Redis of REDIS_URL does not report its maxmemory-policy. It must be noeviction.');
  else if (policy[1] !== 'noeviction') {
    throw new LauncherError(
      `The Redis of REDIS_URL has maxmemory-policy ${policy[1]}, so job notifications could be lost.`,
      { hint: 'Set maxmemory-policy noeviction.' },
    );
  }
}
