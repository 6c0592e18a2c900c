// @ts-check
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { isRequest } from './parse-example.mjs';

/**
 * @typedef {object} Example
 * @property {string} request
 * @property {string} answer
 * @property {string} where page and line
 * @property {string} section the `##` heading above it; each section begins with the rows of
 *   docs/api/README.md
 * @typedef {object} Page
 * @property {string} path relative to the repository's root
 * @property {string} text
 * @property {Example[]} examples
 * @property {string[]} loose requests without a response, whose failure no test would notice
 */

/** @param {string} path relative to the repository's root @returns {Page} */
export function readPage(path) {
  const text = readFileSync(join(rootDir, path), 'utf8');
  /** @type {Page} */
  const page = { path, text, examples: [], loose: [] };
  let section = '';
  /** @type {{ language: string, lines: string[], line: number } | null} */
  let fence = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (fence !== null && line.startsWith('```')) {
      if (fence.language === 'example') readFence(page, fence.lines, fence.line, section);
      fence = null;
    } else if (fence !== null) fence.lines.push(line);
    else if (line.startsWith('```')) fence = { language: line.slice(3).trim(), lines: [], line: index + 2 };
    else if (line.startsWith('## ')) section = line.slice(3);
    else readSpans(page, line, index + 1, section);
  }
  return page;
}

/**
 * Reads a request, the lines of its body, `-> ` and the response, and the lines of its body. An empty line
 * follows.
 * @param {Page} page
 * @param {string[]} lines
 * @param {number} first
 * @param {string} section
 */
function readFence(page, lines, first, section) {
  for (const { text, line } of splitBlocks(lines, first)) {
    const cutIndex = text.search(/(?:^|\s)-> /m);
    const where = `${basename(page.path)}:${line}`;
    if (cutIndex < 0) page.loose.push(`${where} ${text}`);
    else
      page.examples.push({
        request: text.slice(0, cutIndex).trimEnd(),
        answer: text.slice(cutIndex).trim().slice('-> '.length),
        where,
        section,
      });
  }
}

/** @param {string[]} lines @param {number} first */
function splitBlocks(lines, first) {
  /** @type {{ text: string, line: number }[]} */
  const blocks = [];
  for (const [index, line] of lines.entries()) {
    const isNew = isRequest(line);
    const last = blocks.at(-1);
    if (isNew || last === undefined) blocks.push({ text: line, line: first + index });
    else last.text += `\n${line}`;
  }
  return blocks
    .map((block) => ({ ...block, text: block.text.trimEnd() }))
    .filter((block) => block.text !== '');
}

/**
 * Reads code spans in text and tables: a request, an arrow, a response.
 * @param {Page} page
 * @param {string} line
 * @param {number} number
 * @param {string} section
 */
function readSpans(page, line, number, section) {
  const where = `${basename(page.path)}:${number}`;
  const spans = [...dropOthers(page, line).matchAll(/(`+)(.+?)\1(?!`)/g)];
  for (const [index, span] of spans.entries()) {
    const request = unescapeCell(span[2] ?? '');
    if (!isRequest(request)) continue;
    const next = spans[index + 1];
    const between = next === undefined ? '' : line.slice((span.index ?? 0) + span[0].length, next.index);
    if (next === undefined || between.trim() !== '→') page.loose.push(`${where} ${request}`);
    else page.examples.push({ request, answer: unescapeCell(next[2] ?? ''), where, section });
  }
}

/**
 * Drops the first column of a table that compares with other products, because its requests are for those
 * products.
 * @param {Page} page
 * @param {string} line
 */
function dropOthers(page, line) {
  return page.path.endsWith('coming-from.md') && line.startsWith('|')
    ? line.replace(/^\|[^|]*/, (cell) => ' '.repeat(cell.length))
    : line;
}

/**
 * Unescapes code in a table, where a bar is written `\|` and a span with backquotes has a space at each end.
 * @param {string} text
 */
function unescapeCell(text) {
  return text.replaceAll('\\|', '|').replace(/^ (.*) $/, '$1');
}

/**
 * Lists the rows of tables with a column `Example` that have no example and name no test instead.
 * @param {Page} page
 * @returns {string[]}
 */
export function findRowsWithoutExample(page) {
  /** @type {string[]} */
  const found = [];
  /**
   * The position of the column in the current table; null outside of a table.
   * @type {number | null}
   */
  let column = null;
  for (const [index, line] of page.text.split('\n').entries()) {
    if (!line.startsWith('|')) {
      column = null;
      continue;
    }
    const cells = line
      .replaceAll('\\|', '')
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (column === null) {
      column = cells.findIndex((cell) => cell.startsWith('Example'));
      continue;
    }
    const isRule = cells.every((cell) => /^:?-+:?$/.test(cell));
    if (column >= 0 && !isRule && !/→|\]\([^)]+\)/.test(cells[column] ?? ''))
      found.push(`${basename(page.path)}:${index + 1} ${cells[0] ?? ''}`);
  }
  return found;
}

/**
 * Lists the files that the page links to.
 * @param {Page} page
 */
export function listLinks(page) {
  return [...page.text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^https?:/.test(target))
    .map((target) => join(rootDir, dirname(page.path), target));
}
