import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listSources } from './list-sources.mjs';

/**
 * Finds code that was written twice: six or more consecutive lines of code that are equal in two places, after
 * white space is folded. Blank lines, comments, imports and lines without a letter or digit do not count. The
 * number of such lines in each area has an upper bound in `duplicate-bounds.json`, which may only fall.
 * `node infra/checks/rules/check-duplicates.mjs` lists the places, `--area product` selects one area, and
 * `--tighten` lowers the bounds.
 */

const BOUNDS_FILE = 'infra/checks/duplicate-bounds.json';
const FOLDERS = ['apps', 'libs', 'infra', 'e2e', 'bench'];
const LINES_MIN = 6;
/** Generated files are excluded. */
const EXCLUDED = /\.gen\.ts$/;
const TEST_FILES = /\.test\.(ts|tsx|mjs)$|\/src\/testing\/|^(apps|libs)\/[^/]+\/test\/|^libs\/testkit\//;

/** @typedef {{ path: string, lines: number[] }} Place the numbers of the lines of code of a run */
/** @typedef {{ path: string, lines: { text: string, number: number }[] }} SourceFile */

/**
 * @param {string} root
 * @returns {string[]} one line per area that has more duplicate lines than its bound
 */
export function checkDuplicates(root) {
  const bounds = readBounds(root);
  return [...groupByArea(findDuplicates(root))].flatMap(([area, pairs]) => {
    const count = countLines(pairs);
    const bound = bounds[area] ?? 0;
    if (count <= bound) return [];
    const advice = `Use one for both. List all: node infra/checks/rules/check-duplicates.mjs --area ${area}`;
    return [
      ...(bound === 0 ? pairs.map((pair) => `${formatPair(pair)} (duplicate-code)`) : []),
      `${BOUNDS_FILE}:1: duplicate-code: ${area}: ${count} lines, the bound is ${bound}. ${advice}`,
    ];
  });
}

/** @param {string} path @returns {'product' | 'tests' | 'e2e'} */
function areaOf(path) {
  if (path.startsWith('e2e/')) return 'e2e';
  return TEST_FILES.test(path) ? 'tests' : 'product';
}

/**
 * @param {string} root
 * @returns {[Place, Place][]} pairs of places with the same lines: each place, and the first other place
 */
export function findDuplicates(root) {
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const files = listSources(root, folders, /\.(ts|tsx|mjs)$/)
    .filter((path) => !EXCLUDED.test(path))
    .map((path) => ({ path, lines: readCodeLines(readFileSync(join(root, path), 'utf8')) }));
  return findPairs(files);
}

/**
 * @param {readonly SourceFile[]} files
 * @returns {[Place, Place][]}
 */
export function findPairs(files) {
  /** @type {Map<string, { file: SourceFile, index: number }[]>} */
  const windows = new Map();
  for (const file of files) {
    for (let index = 0; index + LINES_MIN <= file.lines.length; index += 1) {
      const key = keyOf(file, index);
      const places = windows.get(key);
      if (places === undefined) windows.set(key, [{ file, index }]);
      else places.push({ file, index });
    }
  }
  return files.flatMap((file) => findRuns(file, windows));
}

/** @param {SourceFile} file @param {number} index */
function keyOf(file, index) {
  return file.lines
    .slice(index, index + LINES_MIN)
    .map(({ text }) => text)
    .join('\n');
}

/**
 * Extends each pair of equal lines as far as the lines of both places are equal.
 * @param {SourceFile} file
 * @param {ReadonlyMap<string, readonly { file: SourceFile, index: number }[]>} windows
 */
function findRuns(file, windows) {
  /** @type {[Place, Place][]} */
  const pairs = [];
  let index = 0;
  while (index + LINES_MIN <= file.lines.length) {
    const other = windows
      .get(keyOf(file, index))
      ?.find((item) => item.file !== file || Math.abs(item.index - index) >= LINES_MIN);
    if (other === undefined) {
      index += 1;
      continue;
    }
    let length = LINES_MIN;
    while (isSameLine(file.lines[index + length], other.file.lines[other.index + length])) length += 1;
    pairs.push([toPlace(file, index, length), toPlace(other.file, other.index, length)]);
    index += length - LINES_MIN + 1;
  }
  return pairs;
}

/** @param {{ text: string } | undefined} line @param {{ text: string } | undefined} other */
function isSameLine(line, other) {
  return line !== undefined && line.text === other?.text;
}

/** @param {SourceFile} file @param {number} index @param {number} length @returns {Place} */
function toPlace(file, index, length) {
  return { path: file.path, lines: file.lines.slice(index, index + length).map(({ number }) => number) };
}

/**
 * @param {string} text
 * @returns {{ text: string, number: number }[]} the lines of code, without those that do not count
 */
export function readCodeLines(text) {
  /** @type {{ text: string, number: number }[]} */
  const lines = [];
  let omittedUntil = /** @type {RegExp | undefined} */ (undefined);
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim().replaceAll(/\s+/g, ' ');
    if (omittedUntil !== undefined) {
      if (omittedUntil.test(line)) omittedUntil = undefined;
    } else if (line.startsWith('/*')) {
      if (!line.includes('*/')) omittedUntil = /\*\//;
    } else if (/^import\b(?!\()|^export (?:type )?\{|^export \* /.test(line)) {
      if (!line.includes(';')) omittedUntil = /;$/;
    } else if (!line.startsWith('//') && /[\p{L}\p{N}]/u.test(line)) {
      lines.push({ text: line, number: index + 1 });
    }
  });
  return lines;
}

/** @param {readonly [Place, Place][]} pairs @returns {Map<string, [Place, Place][]>} */
function groupByArea(pairs) {
  /** @type {Map<string, [Place, Place][]>} */
  const areas = new Map();
  for (const pair of pairs) {
    const area = areaOf(pair[0].path);
    areas.set(area, [...(areas.get(area) ?? []), pair]);
  }
  return areas;
}

/** Counts each line once, however often it is repeated. @param {readonly [Place, Place][]} pairs */
function countLines(pairs) {
  return new Set(pairs.flatMap(([{ path, lines }]) => lines.map((line) => `${path}:${line}`))).size;
}

/** @param {[Place, Place]} pair */
function formatPair([place, other]) {
  return `${formatPlace(place)} equals ${formatPlace(other)}`;
}

/** @param {Place} place */
function formatPlace({ path, lines }) {
  return `${path}:${lines[0]}-${lines.at(-1)}`;
}

/** @param {string} root @returns {Record<string, number>} */
function readBounds(root) {
  const path = join(root, BOUNDS_FILE);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const only = process.argv.includes('--area') ? process.argv[process.argv.indexOf('--area') + 1] : undefined;
  const bounds = readBounds(root);
  const areas = groupByArea(findDuplicates(root));
  for (const [area, pairs] of areas) {
    if (only !== undefined && area !== only) continue;
    for (const pair of pairs) console.log(formatPair(pair));
    console.log(`${area}: ${countLines(pairs)} lines, the bound is ${bounds[area] ?? 0}`);
  }
  if (process.argv.includes('--tighten')) {
    const lower = ['product', 'tests', 'e2e'].map((area) => {
      const count = countLines(areas.get(area) ?? []);
      return [area, Math.min(count, bounds[area] ?? count)];
    });
    writeFileSync(join(root, BOUNDS_FILE), `${JSON.stringify(Object.fromEntries(lower))}\n`);
  }
}
