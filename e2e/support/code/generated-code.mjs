// @ts-check
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { rootDir } from '@rowhouse/local/paths';
import { createConnection, expectStatus } from '../control.mjs';
import { COMPILER_OPTIONS } from './compiler-options.mjs';

const execute = promisify(execFile);
/** Writing and reading fifty tables takes seconds, or minutes on a busy machine. */
const ROUND_TRIP_TIMEOUT_MS = 900_000;
/** The cache folder of mypy. Analyzing the installed packages takes most of mypy's time. */
const mypyCache = mkdtempSync(join(tmpdir(), 'rowhouse-mypy-'));
process.once('exit', () => rmSync(mypyCache, { recursive: true, force: true }));

/** @typedef {import('@rowhouse/test-servers/provide-python').Python} Python */
/** @typedef {{ path: string, owner: 'generated' | 'own', text: string }} CodeFile */

/**
 * @param {import('../control.mjs').TestUser} user
 * @param {string} path `python?pydantic=1` or `typescript`
 * @returns {Promise<CodeFile[]>}
 */
export async function readCode(user, path) {
  const response = await user.control.call('GET', `/api/databases/${user.development.id}/code/${path}`);
  expectStatus(response, [200], 'code');
  return response.json.files;
}

/** @param {readonly CodeFile[]} files @param {string} folder */
function writeCode(files, folder) {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/**
 * Generates the Python package of a person's development database, and writes and reads rows of every table
 * with it.
 * @param {import('../control.mjs').TestUser} user
 * @param {string} gateway
 * @param {Python} python
 * @returns {Promise<{ counts: { classes: number, tables: number, columns: number, by_api: number, pydantic:
 *   string, sqlalchemy: string }, folder: string, remove: () => void }>}
 */
export async function tryPythonCode(user, gateway, python) {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-python-'));
  const files = await readCode(user, `python?pydantic=${python.pydantic}&sqlalchemy=${python.sqlalchemy}`);
  writeCode(files, join(folder, 'models'));
  const { connection_string: url } = await createConnection(user, {
    name: `models ${python.pydantic}`,
    role: 'read-write',
  });
  try {
    const { stdout } = await execute(
      python.program,
      [join(rootDir, 'e2e', 'python', 'round_trip.py'), folder, url, gateway, user.key],
      { env: python.env, timeout: ROUND_TRIP_TIMEOUT_MS },
    );
    return {
      counts: JSON.parse(stdout),
      folder,
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  } catch (err) {
    const {
      stderr = '',
      message,
      killed,
    } = /** @type {{ stderr?: string, message: string, killed?: boolean }} */ (err);
    const why = killed === true ? `stopped after ${ROUND_TRIP_TIMEOUT_MS / 1_000} s` : message;
    throw new Error(`${stderr === '' ? why : stderr.slice(-3_000)}\nThe code is in ${folder}`, {
      cause: err,
    });
  }
}

/**
 * Returns the errors that mypy finds in a package, or '' if there are none.
 * @param {Python} python
 * @param {string} folder
 */
export async function checkPythonTypes(python, folder) {
  try {
    await execute(join(python.binDir ?? '', 'mypy'), ['--strict', '--cache-dir', mypyCache, 'models'], {
      cwd: folder,
      env: python.env,
    });
    return '';
  } catch (err) {
    return String(/** @type {{ stdout?: string }} */ (err).stdout ?? err);
  }
}

/**
 * Compiles generated TypeScript with every strict option, together with a program that uses it.
 * @param {readonly CodeFile[]} files
 * @param {string} [program] a file of `e2e/typed-client`
 * @returns {Promise<{ faults: string, run: (args: string[]) => Promise<any>, remove: () => void }>}
 */
export async function compileTypeScript(files, program) {
  // The imports of the code must resolve from this folder.
  const parent = join(rootDir, 'e2e', 'node_modules', '.generated');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'run-'));
  writeCode(files, join(folder, 'api'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  if (program !== undefined) cpSync(join(rootDir, 'e2e', 'typed-client', program), join(folder, program));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['**/*.ts'] }),
  );
  const faults = await execute(join(rootDir, 'node_modules', '.bin', 'tsc'), ['-p', folder]).then(
    () => '',
    (err) => String(err.stdout || err),
  );
  return {
    faults,
    run: async (args) =>
      JSON.parse(
        (await execute(process.execPath, [join(folder, String(program).replace(/\.ts$/, '.js')), ...args]))
          .stdout,
      ),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
