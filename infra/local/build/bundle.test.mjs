import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { BUNDLED } from '../build.mjs';
import { bundleDir, rootDir } from '../paths.mjs';

const builtins = new Set(builtinModules);
/**
 * The first three are optional for the packages that ask for them. The others occur in generated code, which
 * is not here.
 */
const OPTIONAL = [
  'cardinal',
  'pg',
  '@valkey/valkey-glide',
  'ajv/dist/runtime/validation_error',
  'ajv-formats/dist/formats',
];
/** Prints, when a process ends, which files it has loaded and which modules of Node. */
const TELL = `process.on('exit', () => require('node:fs').writeSync(3, JSON.stringify({ files: Object.keys(require.cache), own: process.moduleLoadList })))`;

/**
 * Starts an app without an environment. It ends at once with a report of what is missing, after it has loaded
 * everything that its start loads.
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

it.each(BUNDLED)('the bundle of %s holds everything that its start loads', (app) => {
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
  '%s starts from its own code, the code of packages and the runtime, and its errors name lines of the sources',
  (app) => {
    const { status, stderr, files } = startBare(app);
    expect(status).toBe(78);
    expect(stderr).toContain('PLATFORM_CELL_URL');
    // Code of libraries that is loaded later requires `dist` files too.
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

it('code that the first responses of a gateway do not need is loaded later', () => {
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
