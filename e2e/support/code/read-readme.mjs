// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';

/**
 * @typedef {object} ReadmeStep
 * @property {string} command as written in README.md
 * @property {unknown} answer the response according to README.md
 *
 * Returns the `sh` blocks of README.md that call curl, each with the following `json` block.
 * @returns {ReadmeStep[]}
 */
export function readReadmeSteps() {
  const text = readFileSync(join(rootDir, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    body: body.trim(),
  }));
  return blocks.flatMap(({ language, body }, index) => {
    if (language !== 'sh' || !body.includes('curl ')) return [];
    const next = blocks[index + 1];
    if (next?.language !== 'json') throw new Error(`README.md shows no answer to: ${body}`);
    return [{ command: body, answer: JSON.parse(next.body) }];
  });
}

/**
 * Describes how a response differs from README.md. Times may differ, and `…` matches any text.
 * @param {unknown} expected
 * @param {unknown} found
 * @param {string} [at]
 * @returns {string[]}
 */
export function findReadmeDifferences(expected, found, at = 'answer') {
  if (expected === '…')
    return typeof found === 'string' && found !== '' ? [] : [`${at} is no text: ${JSON.stringify(found)}`];
  if (typeof expected === 'string' && isTime(expected))
    return typeof found === 'string' && isTime(found) ? [] : [`${at} is no time: ${JSON.stringify(found)}`];
  if (typeof expected !== 'object' || expected === null || typeof found !== 'object' || found === null) {
    return expected === found
      ? []
      : [`${at} is ${JSON.stringify(found)}, README.md says ${JSON.stringify(expected)}`];
  }
  const [entries, seen] = [Object.entries(expected), Object.keys(found)];
  const names = entries.map(([name]) => name);
  const surplus = seen
    .filter((name) => !names.includes(name) && name !== 'hint')
    .map((name) => `${at}.${name} is not in README.md`);
  return [
    ...surplus,
    ...entries.flatMap(([name, value]) =>
      findReadmeDifferences(value, /** @type {Record<string, unknown>} */ (found)[name], `${at}.${name}`),
    ),
  ];
}

/** @param {string} text */
function isTime(text) {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text);
}
