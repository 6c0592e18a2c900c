// @ts-check
/**
 * Writes docs/licences.md: what ships and under which licences, by what is installed. `node docs/generate-licences.mjs`
 * after an install; a test compares the file with what this makes.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = fileURLToPath(new URL('licences.md', import.meta.url));
/** Whose package.json says nothing. */
const TOLD_IN_README = /** @type {Record<string, string>} */ ({ pause: 'MIT' });
/** Tests and their servers do not ship. */
const NOT_SHIPPED = new Set(['@rowhouse/testkit', '@rowhouse/e2e', '@rowhouse/bench', '@rowhouse/checks']);

/** @typedef {{ name: string, version: string, license?: string | { type: string }, licenses?: { type: string }[], os?: string[], cpu?: string[], dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Manifest */

/** @param {string} folder @returns {Manifest} */
const read = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** @param {string} from @param {string} name @returns {string | null} */
function find(from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (folder === dirname(folder)) return null;
  }
}

/** @param {Manifest} manifest */
function licenceOf({ name, license, licenses }) {
  if (typeof license === 'string') return license;
  return (
    license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? TOLD_IN_README[name] ?? 'not told'
  );
}

/** @returns {Map<string, { licence: string, versions: Set<string> }>} */
function listPackages() {
  /** @type {Map<string, { licence: string, versions: Set<string> }>} */
  const found = new Map();
  const seen = new Set();
  const visit = (/** @type {string} */ folder) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    const manifest = read(folder);
    if (NOT_SHIPPED.has(manifest.name)) return;
    // Those for one kind of machine differ from place to place, and come with the package that asks for them.
    if (manifest.os !== undefined || manifest.cpu !== undefined) return;
    if (!manifest.name.startsWith('@rowhouse/')) {
      const entry = found.get(manifest.name) ?? { licence: licenceOf(manifest), versions: new Set() };
      found.set(manifest.name, { ...entry, versions: entry.versions.add(manifest.version) });
    }
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      const dependency = find(folder, name);
      if (dependency !== null) visit(dependency);
    }
  };
  for (const part of ['apps', 'libs'])
    for (const name of readdirSync(join(root, part)))
      if (existsSync(join(root, part, name, 'package.json'))) visit(join(root, part, name));
  return found;
}

/** @returns {string} the whole file */
export function renderLicences() {
  /** @type {Map<string, string[]>} */
  const byLicence = new Map();
  for (const [name, { licence, versions }] of [...listPackages()].sort(([a], [b]) => (a < b ? -1 : 1)))
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), `${name} ${[...versions].sort().join(', ')}`]);
  return [
    '# Licences of what ships',
    '',
    '<!-- Made by docs/generate-licences.mjs from the installed packages. Do not edit. -->',
    '',
    'Packages of the registry that the processes, the console and the command line need to run. MariaDB or MySQL, Redis and',
    'Node itself are programs of their own and are not among them.',
    '',
    ...[...byLicence]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([licence, names]) => [`## ${licence} (${names.length})`, '', names.join(' · '), '']),
  ].join('\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(target, renderLicences());
