// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMariadb, findMysqlClient } from '@rowhouse/local/servers/find-servers';
import { createTerminalReport } from '@rowhouse/local/report';

/** @typedef {'mariadb' | 'mysql'} Engine */
/** @typedef {{ command: string, args: string[], env: Record<string, string> }} Client */
/** @typedef {{ host: string, port: number, user: string, password: string }} Address */

/**
 * The ways in which users load a file with a stock client.
 */
export const WAYS = /** @type {const} */ ([
  'batch',
  'binary mode',
  'comments kept',
  'comments skipped',
  'named commands',
  'forced',
  'gbk client',
  'execute source',
  'interactive source',
]);
/** @typedef {typeof WAYS[number]} Way */

/** @type {Partial<Record<Way, string[]>>} */
const FLAGS = {
  'binary mode': ['--binary-mode'],
  'comments kept': ['--comments'],
  'comments skipped': ['--skip-comments'],
  'named commands': ['-G'],
  forced: ['--force'],
  'gbk client': ['--default-character-set=gbk'],
};
const TIMEOUT_MS = 60_000;
const DRAIN_MS = 2_000;

/**
 * Returns the stock client of an engine, with every command that is enabled in it.
 * @param {Engine} engine
 * @returns {Promise<Client>}
 */
export async function findClient(engine) {
  const report = createTerminalReport();
  if (engine === 'mysql') {
    const { command, leadingArgs, env } = await findMysqlClient(report);
    return { command, args: [...leadingArgs, '--no-defaults', '--commands=ON', '--system-command=ON'], env };
  }
  const { usrDir, env } = await findMariadb(report);
  return { command: join(usrDir, 'bin', 'mariadb'), args: ['--no-defaults', '--skip-ssl'], env };
}

/**
 * Loads a file into a database, from an empty working folder.
 * @param {{ client: Client, address: Address, database: string, text: Buffer, way: Way, folder: string }} load
 * @returns {Promise<{ code: number | null, output: string, left: string[] }>} `output` is what the client
 *   printed, and `left` lists the files that it left
 */
export async function loadFile({ client, address, database, text, way, folder }) {
  rmSync(folder, { recursive: true, force: true });
  const [home, input] = [join(folder, 'home'), join(folder, 'input')];
  for (const path of [home, input]) mkdirSync(path, { recursive: true });
  writeFileSync(join(input, 'file.sql'), text);
  writeFileSync(join(home, 'evil.sql'), 'DROP TABLE canary.t;\nCREATE TABLE canary.evil (a int);\n');
  const source = `source ${join(input, 'file.sql')}`;
  const args = [
    ...client.args,
    `--host=${address.host}`,
    `--port=${address.port}`,
    `--user=${address.user}`,
    ...(FLAGS[way] ?? []),
    ...(way === 'execute source' ? [`--execute=${source}`] : []),
    database,
  ];
  const env = {
    ...client.env,
    PATH: '/usr/bin:/bin',
    HOME: home,
    MYSQL_PWD: address.password,
    MYSQL_HISTFILE: '/dev/null',
    TERM: 'dumb',
    EDITOR: 'touch',
  };
  const { code, output } =
    way === 'interactive source'
      ? await run(
          'script',
          ['-qec', [client.command, ...args].map((word) => `'${word}'`).join(' '), '/dev/null'],
          `${source}\nSELECT 'loa' 'ded';\nquit\n`,
          env,
          home,
        )
      : await run(client.command, args, way === 'execute source' ? '' : text, env, home);
  return { code, output, left: readdirSync(home).filter((name) => name !== 'evil.sql') };
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string | Buffer} input
 * @param {Record<string, string>} env
 * @param {string} cwd
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(command, args, input, env, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
    /** @type {Buffer[]} */
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
    child.once('error', reject);
    child.stdin.on('error', () => undefined);
    const end = (/** @type {number | null} */ code) =>
      resolve({ code, output: Buffer.concat(output).toString('latin1') });
    child.once('close', end);
    // A program that a command started may keep the output open forever.
    child.once('exit', (code) => setTimeout(() => end(code), DRAIN_MS));
    child.stdin.end(input);
  });
}
