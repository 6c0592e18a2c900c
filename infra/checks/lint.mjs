import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkCells } from './rules/check-cells.mjs';
import { checkConventions } from './rules/check-conventions.mjs';
import { checkDependencies } from './rules/check-dependencies.mjs';
import { checkDuplicates } from './rules/check-duplicates.mjs';
import { checkFormat } from './rules/check-format.mjs';
import { checkFunctionLength } from './rules/check-function-length.mjs';
import { checkProse } from './check-prose.mjs';
import { runOxlint } from './rules/run-oxlint.mjs';
import { root as repository } from './vitest-base.mjs';

/**
 * Runs every automated check of the sources. Run a build first, because packages import each other from
 * `dist`.
 * @param {string} root
 * @returns {Promise<Record<string, string[]>>} findings by part; the lists are empty if there are none
 */
export async function lint(root) {
  const [oxlint, dependencies, format] = await Promise.all([
    runOxlint(root),
    checkDependencies(root),
    checkFormat(root),
  ]);
  return {
    oxlint,
    dependencies,
    format,
    conventions: checkConventions(root),
    functions: checkFunctionLength(root),
    cells: checkCells(root),
    duplicates: checkDuplicates(root),
    prose: checkProse(root),
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const index = process.argv.indexOf('--root');
  const findings = await lint(index < 0 ? repository : resolve(process.argv[index + 1] ?? '.'));
  let count = 0;
  for (const [part, lines] of Object.entries(findings)) {
    console.log(`${part}: ${lines.length === 0 ? 'clean' : `${lines.length} findings`}`);
    for (const line of lines) console.log(`  ${line}`);
    count += lines.length;
  }
  process.exitCode = count === 0 ? 0 : 1;
}
