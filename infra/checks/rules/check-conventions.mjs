import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSources } from './list-sources.mjs';

/** Rules that the linter does not offer. Each rule is a pattern that no source line may match. */
const LINE_RULES = [
  {
    name: 'no-enum',
    files: /\.tsx?$/,
    pattern: /^\s*(export\s+)?(declare\s+)?(const\s+)?enum\s+\w/,
    why: 'unions of literals instead of enums',
  },
  {
    name: 'no-todo',
    files: /./,
    pattern: /\b(TODO|FIXME|XXX|HACK)\b/,
    why: 'finish it, or say in the docs that it is not there',
  },
  {
    name: 'js-extension',
    files: /^(libs|apps\/(?!console\/))[^]*\.ts$/,
    pattern: /\bfrom\s+'\.{1,2}\/[^']*(?<!\.js|\.mjs|\.json)'/,
    why: 'relative imports end in .js',
  },
  // These files send such statements only to test that they are rejected.
  {
    name: 'process-list',
    files: /^(?!e2e\/hostile-sql\/|[^]*\/(?:sessions-table|mysql-admin)\.)/,
    pattern: /information_schema\.processlist/i,
    why: "FROM ${SESSIONS}: on MySQL this table cannot be read while anybody's statement holds an emoji",
  },
  {
    name: 'no-suppression',
    files: /./,
    pattern: /@ts-ignore|@ts-nocheck|eslint-disable|oxlint-disable/,
    why: 'a rule that does not fit is changed, not silenced',
  },
];

/** Only a package entry may be named `index.ts`. */
const ENTRY = /^(libs|apps)\/[^/]+\/src\/(testing\/)?index\.tsx?$/;

/**
 * @param {string} root
 * @returns {string[]} one line per finding
 */
export function checkConventions(root) {
  /** @type {string[]} */
  const findings = [];
  for (const path of listSources(root, ['apps', 'libs', 'infra', 'e2e', 'bench'], /\.(ts|tsx|mjs)$/)) {
    if (/(^|\/)index\.(ts|tsx|mjs)$/.test(path) && !ENTRY.test(path) && !path.startsWith('apps/console/'))
      findings.push(`${path}:1: entry-only: an index file is for a package's entry`);
    if (path.startsWith('infra/checks/')) continue;
    const rules = LINE_RULES.filter((rule) => rule.files.test(path));
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .forEach((line, index) => {
        for (const rule of rules)
          if (rule.pattern.test(line)) findings.push(`${path}:${index + 1}: ${rule.name}: ${rule.why}`);
      });
  }
  return findings;
}
