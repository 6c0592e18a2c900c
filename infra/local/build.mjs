import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { readJsonFile, writeJsonFile } from './data-folder/json-file.mjs';
import { acquireLock } from './processes/lock-file.mjs';
import { bundleDir, rootDir } from './paths.mjs';
import { createTerminalReport, LauncherError } from './report.mjs';
import { runProgram } from './processes/run-program.mjs';

const MARKS_FILE = join(rootDir, 'node_modules', '.cache', 'rowhouse', 'built.json');
/**
 * The apps that are bundled, so that they start fast: they are restarted often, and requests wait for them.
 */
export const BUNDLED = ['gateway', 'migration-worker'];
const CONSOLE_DIR = join(rootDir, 'apps', 'console');

/**
 * Updates every `dist` folder whose sources have changed since the last build. The compiler detects changed
 * TypeScript, and a hash of its sources detects a changed console.
 * @param {import('./report.mjs').Report} report
 * @throws {LauncherError} with the output of the compiler
 */
export async function buildChanged(report) {
  const lock = await acquireLock(join(rootDir, 'node_modules', '.cache', 'rowhouse', 'build.lock'), {
    waitMs: 300_000,
  });
  if (!lock.held)
    throw new LauncherError(`Process ${lock.holder.pid} has held the build lock for five minutes.`);
  try {
    await bundle(report, await compile(report));
    await buildConsole(report);
  } finally {
    lock.release();
  }
}

/**
 * @param {import('./report.mjs').Report} report
 * @returns {Promise<string>} a hash of the sources
 */
async function compile(report) {
  const sources = hashFiles(
    [
      'tsconfig.json',
      'tsconfig.base.json',
      'pnpm-lock.yaml',
      'libs',
      'apps',
      'infra/local',
      'infra/test-servers',
    ].map((path) => join(rootDir, path)),
    isCompiled,
  );
  const isBuilt = readMarks()['compiled'] === sources && listEntries().every((entry) => existsSync(entry));
  if (isBuilt) return sources;
  report.step('Compiling');
  await run(join(rootDir, 'node_modules', '.bin', 'tsc'), ['-b', 'tsconfig.json'], rootDir);
  writeMark('compiled', sources);
  return sources;
}

/**
 * @param {import('./report.mjs').Report} report
 * @param {string} sources the hash that `compile` returned
 */
async function bundle(report, sources) {
  const exists = (/** @type {string} */ app) => existsSync(join(bundleDir(app), 'main.cjs'));
  if (readMarks()['bundled'] === sources && BUNDLED.every(exists)) return;
  report.step(`Bundling ${BUNDLED.join(', ')}`);
  // The bundler is imported only where it is needed. An installation without build tools has its bundles
  // already.
  const { bundleApp } = await import('./build/bundle.mjs');
  for (const app of BUNDLED) {
    const faults = await bundleApp(app);
    if (faults.length > 0)
      throw new LauncherError(`The bundle of ${app} is incomplete.`, {
        logTail: stripVTControlCharacters(faults.join('\n')),
      });
  }
  writeMark('bundled', sources);
}

/** @param {import('./report.mjs').Report} report */
async function buildConsole(report) {
  if (!existsSync(join(CONSOLE_DIR, 'index.html'))) return;
  const watched = [
    'apps/console',
    'libs/contracts/src',
    'libs/errors/src',
    'libs/schema-model/src',
    'libs/ddl-plan/src',
    'libs/emitters/src',
    'pnpm-lock.yaml',
  ];
  const sources = hashFiles(
    watched.map((path) => join(rootDir, path)),
    () => true,
  );
  const exists = ['index.html', 'docs-page'].every((name) => existsSync(join(CONSOLE_DIR, 'dist', name)));
  if (readMarks()['console'] === sources && exists) return;
  report.step('Building the console');
  const vite = join(CONSOLE_DIR, 'node_modules', '.bin', 'vite');
  await run(vite, ['build', '--logLevel', 'warn'], CONSOLE_DIR);
  // The first build empties `dist`, so the docs page, which gateways serve, is built after it.
  const docsPage = ['build', '--logLevel', 'warn', '--config', 'docs-page.vite.config.ts'];
  await run(vite, docsPage, CONSOLE_DIR);
  writeMark('console', sources);
}

/** Lists every package's `dist/index.js` or `dist/main.js`. The build fails when one of them is missing. */
function listEntries() {
  return ['libs', 'apps'].flatMap((parent) =>
    readdirSync(join(rootDir, parent))
      .filter((name) => existsSync(join(rootDir, parent, name, 'tsconfig.json')) && name !== 'console')
      .map((name) => join(rootDir, parent, name, 'dist', parent === 'libs' ? 'index.js' : 'main.js')),
  );
}

/** @param {string} path */
function isCompiled(path) {
  return /\.(ts|mts|mjs|json)$/.test(path) && !path.startsWith('apps/console/');
}

/**
 * @param {readonly string[]} starts files and folders
 * @param {(path: string) => boolean} isWanted gets the path relative to the root
 */
function hashFiles(starts, isWanted) {
  const hash = createHash('sha256');
  const visit = (/** @type {string} */ path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isDirectory()) {
      for (const name of readdirSync(path).sort()) {
        if (!['node_modules', 'dist'].includes(name) && !name.endsWith('.tsbuildinfo'))
          visit(join(path, name));
      }
      return;
    }
    const name = relative(rootDir, path);
    if (isWanted(name) || starts.includes(path))
      hash.update(name).update('\0').update(readFileSync(path)).update('\0');
  };
  for (const start of starts) visit(start);
  return hash.digest('hex');
}

/** @returns {Record<string, string>} */
function readMarks() {
  return readJsonFile(MARKS_FILE) ?? {};
}

/**
 * @param {string} name
 * @param {string} value
 */
function writeMark(name, value) {
  writeJsonFile(MARKS_FILE, { ...readMarks(), [name]: value });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
async function run(command, args, cwd) {
  const { code, output } = await runProgram(command, args, { cwd });
  if (code !== 0)
    throw new LauncherError(`The build failed: ${relative(rootDir, command)} ${args.join(' ')}`, {
      logTail: output.trimEnd().split('\n').slice(0, 40).join('\n'),
    });
}

async function main() {
  if (process.connected) {
    await buildForLauncher();
    process.disconnect();
    return;
  }
  const report = createTerminalReport();
  try {
    await buildChanged(report);
    report.step('Built');
  } catch (err) {
    const { message, logTail } = /** @type {LauncherError} */ (err);
    console.error(message, logTail ?? '');
    process.exitCode = 1;
  }
}

/** Sends progress and the failure to the launcher, which started this process. Ends with the launcher. */
async function buildForLauncher() {
  process.once('disconnect', () => process.exit());
  const send = (/** @type {import('./build/build-in-child.mjs').BuildMessage} */ message) =>
    process.send?.(message);
  try {
    await buildChanged({
      step: (text) => send({ kind: 'step', text }),
      note: (text) => send({ kind: 'note', text }),
      warn: (text) => send({ kind: 'warn', text }),
    });
  } catch (err) {
    const { message, logTail } = /** @type {LauncherError} */ (err);
    send({ kind: 'failure', message, logTail });
    process.exitCode = 1;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
