import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { BUNDLED } from '../build.mjs';
import { bundleDir, rootDir } from '../paths.mjs';

const builtins = new Set(builtinModules);
/**
 * Packages that a bundle requires but does not contain. The first three are optional dependencies. The others
 * are only named in generated code that these apps do not run.
 */
const OPTIONAL = [
  'cardinal',
  'pg',
  '@valkey/valkey-glide',
  'ajv/dist/runtime/validation_error',
  'ajv-formats/dist/formats',
];
/**
 * A script that is preloaded. When the process ends, it prints the files and the Node modules that were
 * loaded.
 */
const TELL = `process.on('exit', () => require('node:fs').writeSync(3, JSON.stringify({ files: Object.keys(require.cache), own: process.moduleLoadList })))`;

/**
 * Starts an app without environment variables. The app loads all modules of its start, then ends with an
 * error about the missing variables.
 * @param {string} app
 */
function startBare(app) {
  const preload = `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('${join(rootDir, 'x.js')}'); ${TELL}`)}`;
  const { status, stderr, output } = spawnSync(
    process.execPath,
    ['--enable-source-maps', '--import', preload, join(bundleDir(app), 'main.cjs')],
    {
      env: { PATH: process.env['PATH'] ?? '' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  /** @type {{ files: string[], own: string[] }} */
  const { files, own } = JSON.parse(String(output[3] ?? '{}'));
  return { status, stderr, files, own };
}

it.each(BUNDLED)('the bundle of %s contains every module that the app loads when it starts', (app) => {
  const folder = bundleDir(app);
  const names = readdirSync(folder).filter((name) => name.endsWith('.cjs'));
  const required = names.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/\brequire\("([^"]+)"\)/g)].map(
      (match) => match[1] ?? '',
    ),
  );
  expect(required.length).toBeGreaterThan(10);
  expect(
    [...new Set(required)].filter(
      (name) =>
        !name.startsWith('./') &&
        !name.startsWith('node:') &&
        !builtins.has(name) &&
        !OPTIONAL.includes(name),
    ),
  ).toEqual([]);
});

it.each(BUNDLED)(
  'the bundled %s starts without `dist` files, and its errors name lines of the sources',
  (app) => {
    const { status, stderr, files } = startBare(app);
    expect(status).toBe(78);
    expect(stderr).toContain('PLATFORM_CELL_URL');
    // Library code that is loaded later is also part of the bundle.
    const parts = files
      .map((file) => basename(file).replace(/-[\w-]{8}\.cjs$/, '.cjs'))
      .filter((name) => name !== 'dist.cjs');
    expect(parts.sort()).toEqual(['main.cjs', 'packages.cjs', 'rolldown-runtime.cjs']);
    expect(files.every((file) => file.startsWith(bundleDir(app)))).toBe(true);
    const { sources } = JSON.parse(readFileSync(join(bundleDir(app), 'main.cjs.map'), 'utf8'));
    expect(sources).toContain('../../src/main.ts');
    expect(sources.filter((/** @type {string} */ source) => source.includes('node_modules'))).toEqual([]);
  },
);

it('the gateway does not load code at its start that its first responses do not need', () => {
  const { own } = startBare('gateway');
  expect(own.length).toBeGreaterThan(50);
  expect(own.filter((name) => /undici/.test(name))).toEqual([]);
  const text = readdirSync(bundleDir('gateway'))
    .filter((name) => /^(main|packages).*\.cjs$/.test(name))
    .map((name) => readFileSync(join(bundleDir('gateway'), name), 'utf8'))
    .join('');
  for (const part of ['@modelcontextprotocol', 'openai'])
    expect([part, new RegExp(`^// node_modules/(?:.*/)?node_modules/${part}/`, 'm').test(text)]).toEqual([
      part,
      false,
    ]);
  expect(text).toMatch(/^\/\/ node_modules\/(?:.*\/)?node_modules\/fastify\//m);
});
