// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMariadb, findMysql } from '@rowhouse/local/servers/find-servers';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { createTerminalReport } from '@rowhouse/local/report';
import { makePassword, startMysqlServer } from '@rowhouse/local/servers/start-mysql-server';
import { openAdminConnection, quoteName } from '@rowhouse/mysql';
import { findClient } from '../sql-files/load-file.mjs';

/** @typedef {'mariadb' | 'mysql'} Engine */
/** @typedef {Awaited<ReturnType<typeof startPlainServer>>} PlainServer */

/** The default SQL modes of the engines. They are set here, because the launcher's flags set other modes. */
const SQL_MODES = {
  mariadb: 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION',
  mysql:
    'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
};
const SYSTEM = ['mysql', 'sys', 'information_schema', 'performance_schema'];
const TIMEOUT_MS = 300_000;

/**
 * Starts a separate server with default settings that loads a dump like any other server.
 * @param {Engine} engine
 * @param {string} folder
 */
export async function startPlainServer(engine, folder) {
  const report = createTerminalReport();
  mkdirSync(folder, { recursive: true });
  const server = await startMysqlServer({
    engine,
    program: await (engine === 'mysql' ? findMysql(report) : findMariadb(report)),
    role: 'platform',
    homeDir: join(folder, 'server'),
    logFile: join(folder, 'server.log'),
    port: await findFreePort(),
    password: makePassword(),
    flags: [
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
      `--sql-mode=${SQL_MODES[engine]}`,
      '--log-bin-trust-function-creators=1',
      ...(engine === 'mysql' ? ['--disabled-storage-engines='] : []),
    ],
  });
  const root = await openAdminConnection(server);
  if (engine === 'mariadb') await root.run('SET GLOBAL enforce_storage_engine = NULL');
  // Dumps name the account that wrote them as DEFINER.
  for (const account of ["'root'@'%'", "'root'@'localhost'"]) {
    await root.run(`CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${server.password}'`);
    await root.run(`GRANT ALL PRIVILEGES ON *.* TO ${account}`);
  }
  await root.close();
  return { server, client: await findClient(engine), engine };
}

/**
 * Loads a dump with the stock client. A statement that the server rejects is skipped, and its error is
 * returned.
 * @param {PlainServer} plain
 * @param {string} path
 * @returns {Promise<{ database: string | null, errors: string[] }>} the database that the dump fills
 */
export async function loadPlain({ server, client, engine }, path) {
  const root = await openAdminConnection(server);
  try {
    const list = async () =>
      /** @type {{ name: string }[]} */ (
        await root.rows('SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA')
      )
        .map(({ name }) => name)
        .filter((name) => !SYSTEM.includes(name));
    for (const name of await list()) await root.run(`DROP DATABASE ${quoteName(name)}`);
    await root.run('CREATE DATABASE plain CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci');
    const errors = await runClient(client, server, spellCollations(readFileSync(path), engine));
    const [filled] = /** @type {{ name: string }[]} */ (
      await root.rows(
        `SELECT TABLE_SCHEMA AS name, MIN(CREATE_TIME) AS made FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema') GROUP BY TABLE_SCHEMA ORDER BY made, name LIMIT 1`,
      )
    );
    return { database: filled?.name ?? null, errors };
  } finally {
    await root.close();
  }
}

/**
 * Replaces collations that only the other engine has, in the same way as an import does.
 * @param {Buffer} text
 * @param {Engine} engine
 */
function spellCollations(text, engine) {
  const [own, foreign] =
    engine === 'mariadb'
      ? ['utf8mb4_unicode_ci', /\butf8mb4_(?:[a-z]+_)?0900_(\w+)/g]
      : ['utf8mb4_0900_ai_ci', /\butf8mb4_uca1400_(\w+)/g];
  const latin1 = text.toString('latin1');
  return Buffer.from(
    latin1.replaceAll(foreign, (_all, kind) => (/(?:bin|as_cs)$/.test(kind) ? 'utf8mb4_bin' : own)),
    'latin1',
  );
}

/**
 * @param {PlainServer['client']} client
 * @param {PlainServer['server']} server
 * @param {Buffer} text
 * @returns {Promise<string[]>}
 */
function runClient(client, server, text) {
  // In binary mode, MySQL's client takes the carriage return of `DELIMITER ;;` as a part of the delimiter.
  const keepsReturns = !/^DELIMITER[ \t]+\S+[ \t]*\r$/im.test(text.toString('latin1'));
  const args = [
    ...client.args,
    `--host=${server.host}`,
    `--port=${server.port}`,
    `--user=${server.user}`,
    '--force',
    ...(keepsReturns ? ['--binary-mode'] : []),
    '--default-character-set=utf8mb4',
    'plain',
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(client.command, args, {
      env: { ...client.env, PATH: '/usr/bin:/bin', HOME: '/nonexistent', MYSQL_PWD: server.password },
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    let output = '';
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (part) => (output += part));
    child.once('error', reject);
    child.stdin.on('error', () => undefined);
    child.once('close', () => resolve(output.split('\n').filter((line) => line.startsWith('ERROR'))));
    child.stdin.end(text);
  });
}
