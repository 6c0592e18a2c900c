import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { forbidden } from './dependency-rules.mjs';

/**
 * @param {string} root
 * @returns {Promise<string[]>} one line per broken rule
 */
export async function checkDependencies(root) {
  const previous = process.cwd();
  process.chdir(root);
  try {
    const folders = ['apps', 'libs', 'infra/local', 'infra/test-servers'].filter((folder) =>
      existsSync(join(root, folder)),
    );
    const result = await cruise(
      folders,
      {
        validate: true,
        ruleSet: { forbidden },
        tsPreCompilationDeps: true,
        doNotFollow: { path: ['node_modules', '(^|/)dist/'] },
        exclude: { path: '(^|/)(node_modules/.*/node_modules|dist)/.*\\.map$|route-tree\\.gen' },
        baseDir: root,
      },
      {
        exportsFields: ['exports'],
        conditionNames: ['types', 'import', 'node', 'default'],
        extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.json', '.d.ts'],
      },
    );
    const output = /** @type {import('dependency-cruiser').ICruiseResult} */ (result.output);
    // With an unsupported compiler, the tool skips every .ts file and reports no findings.
    if (!output.modules.some((module) => module.source.endsWith('.ts')))
      return ['dependency-cruiser: read no TypeScript at all'];
    const lines = output.summary.violations
      .filter((violation) => !violation.from.includes('/dist/'))
      .map(
        (violation) =>
          `${violation.from}: ${violation.rule.name}: imports ${violation.to}${describeRule(violation.rule.name)}`,
      );
    return [...new Set(lines)].sort();
  } finally {
    process.chdir(previous);
  }
}

/** @param {string} name */
function describeRule(name) {
  const rule = forbidden.find((item) => item.name === name);
  return rule === undefined ? '' : ` (${rule.comment})`;
}
