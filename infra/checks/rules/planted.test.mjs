import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint } from '../lint.mjs';
import { impureExpressions, plants } from './planted-violations.mjs';
import { PURE } from './dependency-rules.mjs';
import { root } from '../vitest-base.mjs';

/** The path of a copy of the repository, in which a file violates each rule once. */
let copy = '';
/** @type {Record<string, string[]>} */
let findings = {};

/** Copies everything except installed packages, which the copy shares. */
function copyRepository() {
  const target = mkdtempSync(join(tmpdir(), 'rowhouse-planted-'));
  for (const folder of ['apps', 'libs', 'infra', 'e2e', 'bench']) {
    cpSync(join(root, folder), join(target, folder), { recursive: true, verbatimSymlinks: true });
  }
  for (const file of readdirSync(root).filter((name) =>
    /^(tsconfig.*|package)\.json$|^pnpm|^\.gitignore$|^\.oxfmtrc\.json$/.test(name),
  ))
    cpSync(join(root, file), join(target, file));
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
  return target;
}

beforeAll(async () => {
  copy = copyRepository();
  for (const plant of plants) {
    mkdirSync(dirname(join(copy, plant.path)), { recursive: true });
    writeFileSync(join(copy, plant.path), plant.text);
  }
  findings = await lint(copy);
}, 120_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('a planted violation is found', () => {
  it.each(plants.map((plant) => [`${plant.rule} in ${plant.path}`, plant]))(
    'lint reports a violation of the rule %s',
    (_, plant) => {
      const found =
        findings[plant.part]?.filter((line) =>
          line.includes(plant.part === 'prose' ? 'prose-bounds' : plant.path),
        ) ?? [];
      expect(found.join('\n')).toContain(plant.rule);
    },
  );
});

describe('the compiler keeps pure libraries pure', () => {
  const present = PURE.filter((name) => readdirSync(join(root, 'libs')).includes(name));
  it.each(present)(
    'the compiler rejects every impure expression in the pure library %s',
    async (name) => {
      const lines = impureExpressions.map(
        (expression, index) => `export const impure${index} = ${expression};`,
      );
      writeFileSync(join(copy, 'libs', name, 'src', 'planted-impure.ts'), `${lines.join('\n')}\n`);
      const tsc = join(root, 'node_modules', '.bin', 'tsc');
      const { stdout } = await promisify(execFile)(tsc, ['-p', join(copy, 'libs', name), '--noEmit'], {
        cwd: copy,
      }).catch((err) => /** @type {{stdout: string}} */ (err));
      const rejected = new Set(
        [...String(stdout).matchAll(/planted-impure\.ts\((\d+),/g)].map((match) => Number(match[1])),
      );
      expect([...rejected].sort((item, other) => item - other)).toEqual(
        impureExpressions.map((_, index) => index + 1),
      );
    },
    60_000,
  );
});
