import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUNDLED } from './build.mjs';
import { bundleDir } from './paths.mjs';

const builtins = new Set(builtinModules);

it.each(BUNDLED)('the bundle of %s holds all that its start loads', (app) => {
  const folder = bundleDir(app);
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const imported = files.flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/^import (?:[^'"\n]* from )?["']([^"']+)["'];$/gm)].map((match) => match[1] ?? ''));
  expect(imported.length).toBeGreaterThan(10);
  expect(imported.filter((name) => !name.startsWith('./') && !name.startsWith('node:') && !builtins.has(name))).toEqual([]);
});

it.each(BUNDLED)('%s names the lines that were written, from its bundle', (app) => {
  // Without an environment it ends at once, and says all that is missing.
  const { status, stderr } = spawnSync(process.execPath, ['--enable-source-maps', join(bundleDir(app), 'main.js')], { env: { PATH: process.env['PATH'] ?? '' }, encoding: 'utf8' });
  expect(status).toBe(78);
  expect(stderr).toContain('PLATFORM_CELL_URL');
  const { sources } = JSON.parse(readFileSync(join(bundleDir(app), 'main.js.map'), 'utf8'));
  expect(sources).toContain('../../src/main.ts');
});
