import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleDir, rootDir } from './paths.mjs';

/** Packages that others look for and do without, and what only a transport of the log would load. */
const LEFT_OUT = [
  /^@nestjs\/(?:microservices|websockets|platform-express)(?:\/|$)/, 'class-transformer', 'class-validator', /^class-transformer\//,
  '@fastify/multipart', '@fastify/view', 'pino-pretty',
];

/** CommonJS: of what Node has built in, an import of a module reads every name, which loads half of it, `fetch` and its like too. */
export const ENTRY = 'main.cjs';
const PACKAGES = 'packages';

/**
 * One file for what a process loads at its start, and one for each part that is loaded later: to find, read and link two thousand
 * modules is most of what a start costs. Names stay as they are, and a map leads from each line to its source.
 *
 * @param {string} app a folder of `apps`
 * @returns {Promise<string[]>} what has to be said of it; empty: all is in it
 */
export async function bundleApp(app) {
  /** @type {string[]} */
  const faults = [];
  const outDir = bundleDir(app);
  rmSync(outDir, { recursive: true, force: true });
  const bundle = await rolldown({
    input: join(rootDir, 'apps', app, 'dist', 'main.js'),
    platform: 'node',
    external: LEFT_OUT,
    plugins: [keepModuleUrls(outDir), leadToSources()],
    onLog: (level, log) => void (level === 'warn' && log.code !== 'EVAL' && faults.push(`${log.code ?? ''} ${log.message}`)),
  });
  await bundle.write({
    dir: outDir, format: 'cjs', keepNames: true, sourcemap: true, sourcemapExcludeSources: true, entryFileNames: ENTRY, chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: { groups: [{ name: PACKAGES, test: /\/node_modules\//, tags: ['$initial'] }] },
  });
  await bundle.close();
  dropMaps(outDir);
  return faults;
}

/** Node reads the map of each file that it loads: those of packages would be most of it, for lines that can be read where they stand. @param {string} outDir */
function dropMaps(outDir) {
  for (const name of readdirSync(outDir).filter((one) => one.startsWith(`${PACKAGES}-`))) {
    const path = join(outDir, name);
    if (name.endsWith('.map')) rmSync(path);
    else writeFileSync(path, readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  }
}

/**
 * What a module finds beside itself, it still finds: its address is that of its own file.
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

/** What was compiled has a map of its own, which the bundle's goes through: an error names the line that was written. @returns {import('rolldown').Plugin} */
function leadToSources() {
  return {
    name: 'lead-to-sources',
    load(id) {
      if (id.includes('/node_modules/') || !existsSync(`${id}.map`)) return null;
      return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
    },
  };
}
