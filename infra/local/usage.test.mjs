import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PASSED_ON } from './app-processes.mjs';
import { rootDir } from './paths.mjs';

const { scripts } = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8'));

describe('what commands say of how they are called', () => {
  it.each(['backup', 'restore', 'reset-password', 'make-operator'])('%s, without what it needs', (name) => {
    const { status, stderr } = spawnSync(process.execPath, scripts[name].split(' ').slice(1), { cwd: rootDir, encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining(`npx -y pnpm@12 run ${name} <`)]);
  });

  it('operations.md tells every variable that start passes on', () => {
    const [, environment = ''] = /## Environment of `start`([^]*?)\n## /.exec(readFileSync(join(rootDir, 'docs', 'operations.md'), 'utf8')) ?? [];
    expect(PASSED_ON.length).toBeGreaterThan(20);
    expect(PASSED_ON.filter((name) => !environment.includes(`\`${name}\``))).toEqual([]);
  });

  it('operations.md calls each of them so', () => {
    const called = [...readFileSync(join(rootDir, 'docs', 'operations.md'), 'utf8').matchAll(/(\S+) run ([a-z-]+)(?=[ `])/g)].filter(([, , name = '']) => Object.hasOwn(scripts, name));
    expect(new Set(called.map(([, , name]) => name))).toEqual(new Set(['backup', 'restore', 'make-operator', 'rotate-master-key', 'reset-password', 'verify-audit', 'doctor']));
    for (const [text, by] of called) expect(by, text).toBe('pnpm@12');
  });
});
