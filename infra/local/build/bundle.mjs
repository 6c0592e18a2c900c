import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleDir, rootDir } from '../paths.mjs';

/**
 * Packages that are not bundled: optional dependencies of other packages, and packages that only a logging
 * transport would load.
 */
const OMITTED = [
  /^@nestjs\/(?:microservices|websockets|platform-express)(?:\/|$)/,
  'class-transformer',
  'class-validator',
  /^class-transformer\//,
  '@fastify/multipart',
  '@fastify/view',
  'pino-pretty',
];

/**
 * The bundle is CommonJS. An `import` of a built-in module reads every exported name, which loads half of
 * Node's library, `fetch` included.
 */
export const ENTRY = 'main.cjs';
const PACKAGES = 'packages';

/**
 * Writes one file with the modules that a process loads when it starts, and one file for each part that it
 * loads later. Without a bundle, finding, reading and linking two thousand modules takes most of the start
 * time. Names are not shortened, and a source map leads from each line to its source.
 * @param {string} app a folder of `apps`
 * @returns {Promise<string[]>} the bundler's warnings; empty when everything is in the bundle
 */
export async function bundleApp(app) {
  /** @type {string[]} */
  const faults = [];
  const outDir = bundleDir(app);
  rmSync(outDir, { recursive: true, force: true });
  const bundle = await rolldown({
    input: join(rootDir, 'apps', app, 'dist', 'main.js'),
    platform: 'node',
    external: OMITTED,
    plugins: [keepModuleUrls(outDir), leadToSources()],
    onLog: (level, log) =>
      void (level === 'warn' && log.code !== 'EVAL' && faults.push(`${log.code ?? ''} ${log.message}`)),
  });
  await bundle.write({
    dir: outDir,
    format: 'cjs',
    keepNames: true,
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: ENTRY,
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: { groups: [{ name: PACKAGES, test: /\/node_modules\//, tags: ['$initial'] }] },
  });
  await bundle.close();
  dropMaps(outDir);
  return faults;
}

/**
 * Removes the source maps of packages. Node reads the map of each file that it loads, and those of packages
 * are the largest. The code of packages is readable without a map.
 * @param {string} outDir
 */
function dropMaps(outDir) {
  for (const name of readdirSync(outDir).filter((item) => item.startsWith(`${PACKAGES}-`))) {
    const path = join(outDir, name);
    if (name.endsWith('.map')) rmSync(path);
    else writeFileSync(path, readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  }
}

/**
 * Replaces `import.meta.url` in each module by the URL of the module's own file, so that a bundled module
 * still finds the files next to it.
 * @param {string} outDir
 * @returns {import('rolldown').Plugin}
 */
function keepModuleUrls(outDir) {
  return {
    name: 'keep-module-urls',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null;
      const own = JSON.stringify(relative(outDir, id));
      return { code: code.replaceAll('import.meta.url', `new URL(${own}, import.meta.url).href`), map: null };
    },
  };
}

/**
 * Passes the source maps of compiled files to the bundler, so that an error names a line of the TypeScript
 * source.
 * @returns {import('rolldown').Plugin}
 */
function leadToSources() {
  return {
    name: 'lead-to-sources',
    load(id) {
      if (id.includes('/node_modules/') || !existsSync(`${id}.map`)) return null;
      return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
    },
  };
}
