// @ts-check
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rootDir } from '@rowhouse/local/paths';

const run = promisify(execFile);
/** Several generators need a newer version of Node than the product. */
const ownNode = join(rootDir, 'node_modules', '.bin', 'node');
export const NODE = existsSync(ownNode) ? ownNode : process.execPath;
const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));
const OPTIONS = {
  strict: true,
  skipLibCheck: true,
  module: 'nodenext',
  moduleResolution: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  outDir: 'out',
  rootDir: '.',
};

/**
 * The expected output of each program, which creates three tasks, then lists, reads, changes and deletes
 * them.
 */
export const EXPECTED = {
  listed: ['three', 'two'],
  read: 'one',
  updated: 7,
  patched: { updated: 2 },
  removed: { deleted: 1 },
  left: ['one', 'two'],
  gone: 404,
};

/**
 * @typedef {{ generates: string, compiles: string, works: string }} Outcome
 *   the error of each step, '' if it succeeded
 * @typedef {{ packages: string, document: string, baseUrl: string, key: string, folder: string }} Stage
 *   `folder` belongs to this run and is inside `packages`
 */

/**
 * Generates one client, compiles it with a program under `tsc --strict` and runs the program.
 * @param {import('./list-clients.mjs').Client} client
 * @param {Stage} stage
 * @returns {Promise<Outcome>}
 */
export async function runClient(client, { packages, document, baseUrl, key, folder }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { library = 'openapi-fetch' } = client;
  for (const file of ['steps.ts', `${client.program}.ts`, `${client.program}-base.ts`])
    if (existsSync(PROGRAMS + file))
      writeFileSync(
        join(folder, file),
        readFileSync(PROGRAMS + file, 'utf8').replace("'openapi-fetch'", `'${library}'`),
      );
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: OPTIONS, files: [`${client.program}.ts`] }),
  );
  const { script, args } = client.generate({ document, output: join(folder, 'api'), packages, baseUrl });
  const entry = script.startsWith('data:')
    ? writeModule(folder, script.slice(5))
    : join(packages, 'node_modules', client.package, script);
  const generates = await attempt(NODE, [entry, ...args], folder);
  if (generates !== '') return { generates, compiles: 'not tried', works: 'not tried' };
  const compiles = await attempt(
    NODE,
    ['--max-old-space-size=6144', join(packages, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder],
    folder,
  );
  if (compiles !== '') return { generates, compiles, works: 'not tried' };
  return {
    generates,
    compiles,
    works: await judge(join(folder, 'out', `${client.program}.js`), [baseUrl, key], folder),
  };
}

/** @param {string} folder @param {string} text */
function writeModule(folder, text) {
  const path = join(folder, 'generate.mjs');
  writeFileSync(path, text);
  return path;
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<string>} the output of a failed run, else ''
 */
async function attempt(program, args, cwd) {
  return run(program, args, { cwd, timeout: 900_000, maxBuffer: 64 * 1024 * 1024 }).then(
    () => '',
    (err) => `${err.stdout ?? ''}${err.stderr ?? ''}`.trim() || String(err),
  );
}

/** @param {string} program @param {string[]} args @param {string} cwd */
async function judge(program, args, cwd) {
  try {
    const { stdout } = await run(NODE, [program, ...args], { cwd, timeout: 60_000 });
    const found = JSON.stringify(JSON.parse(stdout));
    return found === JSON.stringify(EXPECTED) ? '' : found;
  } catch (err) {
    return String(err);
  }
}
