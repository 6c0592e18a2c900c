// @ts-check
/**
 * Writes docs/config.md from the schemas through which processes read their environment. `node docs/generate-config.mjs`
 * after a build; a test compares the file with what this makes.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const target = fileURLToPath(new URL('config.md', import.meta.url));
const APPS = ['control-plane', 'gateway', 'migration-worker'];

/** @typedef {{ name: string, text: string, fallback: string, isRequired: boolean }} Variable */

/** @returns {Promise<string>} the whole file */
export async function renderConfig() {
  const { describeEnvironment } = /** @type {{ describeEnvironment: (schema: unknown) => Variable[] }} */ (
    await load('../libs/runtime/dist/index.js')
  );
  const sections = await Promise.all(
    APPS.map(async (app) => {
      const { environmentSchema } = /** @type {{ environmentSchema: unknown }} */ (
        await load(`../apps/${app}/dist/config.js`)
      );
      return [
        `## ${app}`,
        '',
        '| Variable | Means | Unless set |',
        '|---|---|---|',
        ...describeEnvironment(environmentSchema).map(renderRow),
        '',
      ];
    }),
  );
  return [
    '# Configuration',
    '',
    '<!-- Made by docs/generate-config.mjs from the schemas of the apps. Do not edit. -->',
    '',
    'Each process reads its environment once, at its start, and ends with code 78 and all problems when something is',
    'wrong. `--print-config` prints what was read, secrets redacted, and ends. An empty value counts as unset. The',
    'launcher sets all of this itself; what it reads is in [operate/configure.md](operate/configure.md).',
    '',
    ...sections.flat(),
  ].join('\n');
}

/** @param {string} path */
function load(path) {
  return import(new URL(path, import.meta.url).href);
}

/** @param {Variable} variable */
function renderRow({ name, text, fallback, isRequired }) {
  return `| \`${name}\` | ${text.replaceAll('|', '\\|')} | ${isRequired ? '**required**' : fallback === '' ? '' : `\`${fallback}\``} |`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(target, await renderConfig());
