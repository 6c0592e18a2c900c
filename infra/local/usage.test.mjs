import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PASSED_ON } from './product/app-processes.mjs';
import { rootDir } from './paths.mjs';

const { scripts } = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8'));
const OPERATE = join(rootDir, 'docs', 'operate');
/** The commands that operators need. */
const COMMANDS = new Set([
  'backup',
  'restore',
  'make-operator',
  'rotate-master-key',
  'reset-password',
  'reset-second-factor',
  'verify-audit',
  'doctor',
]);

describe('the usage of commands', () => {
  it.each(['backup', 'restore', 'reset-password', 'reset-second-factor', 'make-operator'])(
    'the command %s prints its usage when an argument is missing',
    (name) => {
      const { status, stderr } = spawnSync(process.execPath, scripts[name].split(' ').slice(1), {
        cwd: rootDir,
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([2, expect.stringContaining(`npx -y pnpm@12 run ${name} <`)]);
    },
  );

  it('docs/configure.md lists every variable that `start` passes on', () => {
    const text = readFileSync(join(OPERATE, 'configure.md'), 'utf8');
    expect(PASSED_ON.length).toBeGreaterThan(20);
    expect(PASSED_ON.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('the operator docs call each command in a way that works without a global pnpm', () => {
    const text = readdirSync(OPERATE)
      .map((name) => readFileSync(join(OPERATE, name), 'utf8'))
      .join('\n');
    const called = [...text.matchAll(/(\S+) run ([a-z-]+)(?=[ `])/g)].filter(([, , name = '']) =>
      Object.hasOwn(scripts, name),
    );
    expect(new Set(called.map(([, , name]) => name))).toEqual(COMMANDS);
    for (const [command, by] of called) expect(by, command).toBe('pnpm@12');
  });
});
