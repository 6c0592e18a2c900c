import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir, findProgram } from '@rowhouse/local/paths';
import { unpackDebianPackages } from '@rowhouse/local/servers/unpack-debian';

const run = promisify(execFile);

/**
 * The packages with which generated code is tested, in addition to those of Debian. They are tested together,
 * as one set.
 */
const PACKAGES = [
  'pydantic==2.13.5',
  'SQLAlchemy==2.1.1',
  'PyMySQL==1.2.3',
  'mypy==2.4.0',
  'fastapi==0.142.2',
  'uvicorn==0.54.0',
];
const FOLDER = 'python-wheels';
const IMPORTS =
  'import pydantic, pymysql, sqlalchemy; print(pydantic.VERSION.split(".")[0], ".".join(sqlalchemy.__version__.split(".")[:2]))';

/**
 * @typedef {object} Python
 * @property {string} program
 * @property {NodeJS.ProcessEnv} env
 * @property {'1' | '2'} pydantic
 * @property {'1.4' | '2.0'} sqlalchemy the target; newer versions count as 2.0
 * @property {string} [binDir] the folder of programs that came with it, such as mypy
 * @property {string} [wheelDir] its packages as files, for environments created without a network
 */

/**
 * Provides Debian's own Python with its own packages, installed or unpacked into the cache.
 * @param {import('@rowhouse/local/report').Report} report
 * @returns {Promise<Python>}
 * @throws when none can be found or fetched
 */
export async function provideDebianPython(report) {
  const program = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : findProgram(['python3']);
  if (program === null) throw new Error('there is no python3');
  const env = withoutOwnPaths();
  const installed = await readVersions(program, env);
  if (installed !== null) return { program, env, ...installed };
  const root = await unpackDebianPackages({
    name: 'debian-python',
    packages: [['python3-sqlalchemy'], ['python3-pydantic'], ['python3-pymysql']],
    leaveOut: /^(?:lib|python3\.|python3-(?:minimal|distutils|lib2to3))/,
    report,
  });
  const unpacked = { ...env, PYTHONPATH: join(root, 'usr', 'lib', 'python3', 'dist-packages') };
  const versions = await readVersions(program, unpacked);
  if (versions === null) throw new Error(`${program} does not load Debian's packages`);
  return { program, env: unpacked, ...versions };
}

/**
 * Provides the newest Pydantic and SQLAlchemy, with a type checker and FastAPI, in a virtual environment in
 * the cache.
 * @param {import('@rowhouse/local/report').Report} report
 * @returns {Promise<Python>}
 * @throws when there is no python3 with venv, or the packages cannot be fetched
 */
export async function provideNewestPython(report) {
  const home = join(cacheDir(), FOLDER);
  const binDir = join(home, 'bin');
  const program = join(binDir, 'python');
  const wheelDir = join(home, 'wheels');
  const requested = PACKAGES.join('\n');
  const env = { ...withoutOwnPaths(), PATH: `${binDir}:${process.env['PATH'] ?? ''}` };
  if (!existsSync(join(home, 'made')) || (await readVersions(program, env)) === null) {
    const base = findProgram(['python3']);
    if (base === null) throw new Error('there is no python3');
    report.step('Fetching Pydantic, SQLAlchemy, FastAPI and mypy for the tests of generated code (once)');
    rmSync(home, { recursive: true, force: true });
    mkdirSync(cacheDir(), { recursive: true });
    await run(base, ['-m', 'venv', home], { env });
    const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check'];
    await run(
      program,
      [...pip, 'download', '--retries', '1', '--timeout', '20', '--dest', wheelDir, ...PACKAGES],
      { env, timeout: 300_000 },
    );
    await run(program, [...pip, 'install', '--no-index', '--find-links', wheelDir, ...PACKAGES], {
      env,
      timeout: 300_000,
    });
    writeFileSync(join(home, 'made'), requested);
  }
  const versions = await readVersions(program, env);
  if (versions === null) throw new Error('the packages were fetched and do not load');
  return { program, env, ...versions, binDir, wheelDir };
}

/**
 * @param {string} program
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Pick<Python, 'pydantic' | 'sqlalchemy'> | null>}
 */
async function readVersions(program, env) {
  try {
    const [pydantic, sqlalchemy] = (await run(program, ['-c', IMPORTS], { env })).stdout.trim().split(' ');
    return { pydantic: pydantic === '1' ? '1' : '2', sqlalchemy: sqlalchemy === '1.4' ? '1.4' : '2.0' };
  } catch {
    return null;
  }
}

function withoutOwnPaths() {
  const { PYTHONPATH: _path, PYTHONHOME: _home, ...rest } = process.env;
  return { ...rest, PYTHONDONTWRITEBYTECODE: '1' };
}
