import { describe, expect, it } from 'vitest';
import { findPairs, readCodeLines } from './check-duplicates.mjs';

const BODY = ['one();', 'two();', 'three();', 'four();', 'five();', 'six();'];

/** @param {string} path @param {readonly string[]} lines */
const toFile = (path, lines) => ({ path, lines: readCodeLines(lines.join('\n')) });

describe('the check for duplicate code', () => {
  it('findPairs returns six equal lines in two files, whatever their indentation', () => {
    const pairs = findPairs([
      toFile('a.ts', ['start();', ...BODY, 'end();']),
      toFile(
        'b.ts',
        BODY.map((line) => `  ${line}`),
      ),
    ]);
    expect(pairs).toEqual([
      [
        { path: 'a.ts', lines: [2, 3, 4, 5, 6, 7] },
        { path: 'b.ts', lines: [1, 2, 3, 4, 5, 6] },
      ],
      [
        { path: 'b.ts', lines: [1, 2, 3, 4, 5, 6] },
        { path: 'a.ts', lines: [2, 3, 4, 5, 6, 7] },
      ],
    ]);
  });

  it('findPairs ignores blocks of five equal lines', () => {
    expect(findPairs([toFile('a.ts', BODY.slice(1)), toFile('b.ts', BODY.slice(1))])).toEqual([]);
  });

  it('findPairs returns blocks that a file repeats, but not one line repeated in a row', () => {
    expect(findPairs([toFile('a.ts', [...BODY, ...BODY])])).toHaveLength(2);
    expect(
      findPairs([
        toFile(
          'a.ts',
          Array.from({ length: 8 }, () => 'again();'),
        ),
      ]),
    ).toEqual([]);
  });

  it('readCodeLines omits blank lines, comments, imports and lines without a letter', () => {
    const text = [
      "import { one } from './one.js';",
      'import {',
      '  two,',
      "} from './two.js';",
      "export { three } from './three.js';",
      '/**',
      ' * A comment.',
      ' */',
      '// Another one.',
      '',
      '});',
      'four(',
      "await import('./five.js');",
    ].join('\n');
    expect(readCodeLines(text)).toEqual([
      { text: 'four(', number: 12 },
      { text: "await import('./five.js');", number: 13 },
    ]);
  });
});
