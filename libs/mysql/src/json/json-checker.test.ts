import { describe, expect, it } from 'vitest';
import { JsonChecker } from './json-checker.js';

function check(text: string, pieceBytes: number): boolean {
  const bytes = Buffer.from(text);
  const checker = new JsonChecker();
  for (let offset = 0; offset < bytes.length; offset += pieceBytes)
    checker.feed(bytes, offset, Math.min(offset + pieceBytes, bytes.length));
  return checker.isComplete();
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

const ALPHABET = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '"a"',
  '\\',
  '\\u00e9',
  '\\n',
  '\n',
  ' ',
  '0',
  '1',
  '12',
  '-',
  '+',
  '.',
  'e',
  'E',
  'true',
  'false',
  'null',
  'nul',
  'ä',
  '\u0001',
  '"x":',
  '[1]',
  '{}',
];

/** Returns a seeded generator of integers below `max`. */
function createRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

describe('JsonChecker', () => {
  it('JsonChecker agrees with JSON.parse on 20,000 random texts in pieces of any size', () => {
    const random = createRandom(7);
    let valid = 0;
    const disagreed: string[] = [];
    for (let round = 0; round < 20_000; round += 1) {
      const text = Array.from({ length: random(7) }, () => ALPHABET[random(ALPHABET.length)]).join('');
      const isValid = isJson(text);
      if (check(text, 1 + random(4)) !== isValid) disagreed.push(text);
      if (isValid) valid += 1;
    }
    expect(disagreed).toEqual([]);
    expect(valid).toBeGreaterThan(250);
  });

  it('JsonChecker agrees with JSON.parse on documents with one changed byte', () => {
    const document = JSON.stringify(
      { a: [1, -0.5e-7, 12, true, false, null, 'ä"\\\u0001\n'], 'b c': { d: [], e: {}, f: [[{ g: '' }]] } },
      null,
      1,
    );
    expect(check(document, 3)).toBe(true);
    const disagreed: string[] = [];
    for (let offset = 0; offset < document.length; offset += 1) {
      for (const other of ['', 'x', '"', ',', ']', '}', '0', ' ']) {
        const changed = document.slice(0, offset) + other + document.slice(offset + 1);
        if (check(changed, 5) !== isJson(changed)) disagreed.push(changed);
      }
    }
    expect(disagreed).toEqual([]);
  });
});
