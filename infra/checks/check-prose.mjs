import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listSources } from './rules/list-sources.mjs';
import { FRAGMENT_OPENING, PHRASE_RULES } from './rules/prose-rules.mjs';
import { countWords, readSentences, readSource, splitIdentifier } from './rules/read-prose.mjs';

/**
 * Measures how plainly each area of the repository is written. Every figure has an upper bound in
 * `prose-bounds.json`, which may only fall. `node infra/checks/check-prose.mjs` prints the figures,
 * `--tighten` lowers the bounds to them, `--worst 40` prints the worst texts, `--words` lists the identifiers
 * with old words of the glossary, and `--area libs/mysql` selects one area.
 *
 * @typedef {object} Figures
 * @property {number} fragments comments that open as a sentence fragment, per 1,000 comments
 * @property {number} phrases odd phrases, per 1,000 words of comments and docs
 * @property {number} longSentences sentences of docs with more than 25 words, per 1,000 sentences
 * @property {number} longLines lines with more than 110 columns, per 1,000 lines of code
 */

/**
 * @typedef {{ comments: number, fragments: number, words: number, phrases: number, sentences: number,
 *   longSentences: number, lines: number, longLines: number }} Counts
 */
/** @typedef {{ score: number, path: string, text: string }} Finding */

const BOUNDS_FILE = 'infra/checks/prose-bounds.json';
const FOLDERS = ['apps', 'libs', 'infra', 'e2e', 'bench', 'docs'];
const COLUMNS_MAX = 110;
const SENTENCE_WORDS_MAX = 25;
/** Generated documents, and license texts of other projects. */
const EXCLUDED = /^docs\/(?:licences\.md|errors\.md|config\.md)|\/gold\/|\.gen\.ts$/;

/**
 * @param {string} root
 * @returns {string[]} one line per figure that is above its bound
 */
export function checkProse(root) {
  const path = join(root, BOUNDS_FILE);
  if (!existsSync(path))
    return [
      `${BOUNDS_FILE}:1: prose: the bounds are missing; run node infra/checks/check-prose.mjs --tighten`,
    ];
  /** @type {Record<string, Figures>} */
  const bounds = JSON.parse(readFileSync(path, 'utf8'));
  return [...measureProse(root)].flatMap(([area, { counts }]) => {
    const figures = toFigures(counts);
    const bound = bounds[area] ?? PLAIN;
    return FIGURES.filter((name) => figures[name] > bound[name]).map(
      (name) =>
        `${BOUNDS_FILE}:1: prose: ${area}: ${name} is ${figures[name]}, the bound is ${bound[name]}. List the texts: node infra/checks/check-prose.mjs --worst 40 --area ${area}`,
    );
  });
}

/** The bounds for an area that is not in `prose-bounds.json` yet. @type {Figures} */
const PLAIN = { fragments: 20, phrases: 1.7, longSentences: 70, longLines: 10 };
const FIGURES = /** @type {(keyof Figures)[]} */ (Object.keys(PLAIN));

/**
 * @param {string} root
 * @returns {Map<string, { counts: Counts, findings: Finding[] }>} by area, in order of their names
 */
export function measureProse(root) {
  /** @type {Map<string, { counts: Counts, findings: Finding[] }>} */
  const areas = new Map();
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  for (const path of listSources(root, folders, /\.(ts|tsx|mjs|md)$/)) {
    if (EXCLUDED.test(path)) continue;
    const area = areaOf(path);
    const measured = areas.get(area) ?? { counts: noCounts(), findings: [] };
    areas.set(area, measured);
    const text = readFileSync(join(root, path), 'utf8');
    if (path.endsWith('.md')) measureDocs(path, text, measured);
    else measureCode(path, text, measured);
  }
  return new Map([...areas].sort(([item], [other]) => (item < other ? -1 : 1)));
}

/** @param {string} path */
function areaOf(path) {
  const [first, second] = path.split('/');
  return first === 'apps' || first === 'libs' || first === 'infra' ? `${first}/${second}` : String(first);
}

/** @returns {Counts} */
function noCounts() {
  return {
    comments: 0,
    fragments: 0,
    words: 0,
    phrases: 0,
    sentences: 0,
    longSentences: 0,
    lines: 0,
    longLines: 0,
  };
}

/** @param {string} path @param {string} text @param {{ counts: Counts, findings: Finding[] }} measured */
function measureDocs(path, text, { counts, findings }) {
  for (const sentence of readSentences(text)) {
    const words = countWords(sentence);
    const phrases = countPhrases(sentence);
    const isLong = words > SENTENCE_WORDS_MAX;
    counts.sentences += 1;
    counts.words += words;
    counts.phrases += phrases;
    counts.longSentences += isLong ? 1 : 0;
    if (phrases > 0 || isLong) findings.push({ score: phrases + (isLong ? 1 : 0), path, text: sentence });
  }
}

/** @param {string} path @param {string} text @param {{ counts: Counts, findings: Finding[] }} measured */
function measureCode(path, text, { counts, findings }) {
  for (const line of text.split('\n')) {
    counts.lines += 1;
    if (line.length > COLUMNS_MAX) counts.longLines += 1;
  }
  const { comments } = readSource(text);
  for (const comment of comments) {
    const words = countWords(comment);
    if (words < 4) continue;
    const phrases = countPhrases(comment);
    const isFragment = FRAGMENT_OPENING.test(comment);
    counts.comments += 1;
    counts.words += words;
    counts.phrases += phrases;
    counts.fragments += isFragment ? 1 : 0;
    if (phrases > 0 || isFragment)
      findings.push({ score: phrases + (isFragment ? 1 : 0), path, text: comment });
  }
}

/**
 * Lists the identifiers that contain a word of the glossary's column "Not". Each needs a reader, because many
 * of these words have a right meaning too. A bound on their number would reward blind replacement.
 *
 * @param {string} root
 * @param {string | undefined} onlyArea
 * @returns {string[]} one line per file and identifier
 */
function listOldWords(root, onlyArea) {
  const words = readOldWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8'));
  return listSources(root, FOLDERS, /\.(ts|tsx|mjs)$/)
    .filter((path) => onlyArea === undefined || areaOf(path) === onlyArea)
    .flatMap((path) =>
      [...readSource(readFileSync(join(root, path), 'utf8')).identifiers].flatMap((name) => {
        const word = splitIdentifier(name).find((part) => words.has(part));
        return word === undefined ? [] : [`${path}: ${name} (see "${word}" in docs/glossary.md)`];
      }),
    );
}

/**
 * Returns the single words in the last column of the glossary's tables.
 *
 * @param {string} glossary
 */
export function readOldWords(glossary) {
  const cells = glossary
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|(?: (?:Use|Word) \||-)/.test(line))
    .map((line) => line.split('|').at(-2) ?? '');
  return new Set(
    cells
      .flatMap((cell) => cell.split(',').map((word) => word.trim()))
      .filter((word) => /^[a-z]+$/.test(word)),
  );
}

/** @param {string} text */
function countPhrases(text) {
  return PHRASE_RULES.reduce((sum, { pattern }) => sum + (text.match(pattern)?.length ?? 0), 0);
}

/**
 * @param {Counts} counts
 * @returns {Figures} shares rounded up to a tenth, so that a figure never exceeds a bound that was set from
 *   it
 */
export function toFigures(counts) {
  const share = (/** @type {number} */ part, /** @type {number} */ whole) =>
    whole === 0 ? 0 : Math.ceil((part / whole) * 10_000) / 10;
  return {
    fragments: share(counts.fragments, counts.comments),
    phrases: share(counts.phrases, counts.words),
    longSentences: share(counts.longSentences, counts.sentences),
    longLines: share(counts.longLines, counts.lines),
  };
}

/**
 * Lowers the bounds to the current figures. With `isReset`, bounds may also rise. Use that only after a merge
 * of branches.
 *
 * @param {string} root
 * @param {boolean} isReset
 */
function tighten(root, isReset) {
  const path = join(root, BOUNDS_FILE);
  /** @type {Record<string, Figures>} */
  const before = existsSync(path) && !isReset ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const after = Object.fromEntries(
    [...measureProse(root)].map(([area, { counts }]) => {
      const figures = toFigures(counts);
      const bound = before[area];
      return [
        area,
        Object.fromEntries(FIGURES.map((name) => [name, Math.min(figures[name], bound?.[name] ?? Infinity)])),
      ];
    }),
  );
  const lines = Object.entries(after).map(
    ([area, figures]) =>
      `  ${JSON.stringify(area)}: ${JSON.stringify(figures).replaceAll('":', '": ').replaceAll(',', ', ')}`,
  );
  writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const option = (/** @type {string} */ name) => {
    const index = process.argv.indexOf(name);
    return index < 0 ? undefined : process.argv[index + 1];
  };
  const root = fileURLToPath(new URL('../../', import.meta.url));
  if (process.argv.includes('--tighten') || process.argv.includes('--reset'))
    tighten(root, process.argv.includes('--reset'));
  const only = option('--area');
  if (process.argv.includes('--words')) console.log(listOldWords(root, only).join('\n'));
  for (const [area, { counts, findings }] of measureProse(root)) {
    if (only !== undefined && only !== area) continue;
    console.log(
      `${area}: ${Object.entries(toFigures(counts))
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}`,
    );
    for (const { path, text } of findings
      .sort((item, other) => other.score - item.score)
      .slice(0, Number(option('--worst') ?? 0)))
      console.log(`  ${path}: ${text.slice(0, 200)}`);
  }
}
