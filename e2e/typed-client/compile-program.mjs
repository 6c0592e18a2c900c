// @ts-check
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rootDir } from '@rowhouse/local/paths';
import openapiTS, { astToString } from 'openapi-typescript';
import { COMPILER_OPTIONS } from '../support/code/compiler-options.mjs';

const execute = promisify(execFile);
const here = join(rootDir, 'e2e', 'typed-client');

/**
 * Creates the types of a document, and compiles a program against them with every strict option.
 * @param {object} document
 * @param {string} [program] a file next to this one; unless set, only the types are compiled
 * @returns {Promise<{ faults: string, types: string, run: (args: string[]) => Promise<any>, remove: () => void }>}
 *   `faults` is the output of the compiler, '' without errors
 */
export async function compileProgram(document, program) {
  // The packages that the program imports must be resolvable from this folder.
  const parent = join(rootDir, 'e2e', 'node_modules', '.typed-client');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'run-'));
  const types = astToString(await openapiTS(JSON.parse(JSON.stringify(document))));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'api.ts'), types);
  if (program !== undefined) cpSync(join(here, program), join(folder, program));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }),
  );
  const faults = await execute(join(rootDir, 'node_modules', '.bin', 'tsc'), ['-p', folder]).then(
    () => '',
    (err) => String(err.stdout || err),
  );
  return {
    faults,
    types,
    run: async (args) =>
      JSON.parse(
        (await execute(process.execPath, [join(folder, String(program).replace(/\.ts$/, '.js')), ...args]))
          .stdout,
      ),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
