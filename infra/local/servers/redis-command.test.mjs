import { describe, expect, it } from 'vitest';
import { parseResponses } from './redis-command.mjs';

/** @param {string} text */
const parse = (text) => parseResponses(Buffer.from(text));

describe('parseAnswers', () => {
  it('parseResponses reads simple strings, numbers, lists and errors in sequence', () => {
    expect(parse('+OK\r\n:7\r\n*2\r\n$1\r\na\r\n$2\r\nbc\r\n')).toEqual(['OK', '7', ['a', 'bc']]);
    expect(parse('-ERR no\r\n')[0]).toEqual(new Error('ERR no'));
  });

  it('parseResponses reads a text with line breaks by its length in bytes', () => {
    expect(parse('$12\r\na:1\r\nb:\u00e9\r\nc\r\n+PONG\r\n')).toEqual(['a:1\r\nb:\u00e9\r\nc', 'PONG']);
  });

  it('parseResponses waits for the rest of an incomplete Redis response', () => {
    expect(parse('+OK\r\n$5\r\nab')).toEqual(['OK']);
    expect(parse('*2\r\n$1\r\na\r\n')).toEqual([]);
    expect(parse('+PO')).toEqual([]);
  });

  it('parseResponses returns an empty string for a missing value', () => {
    expect(parse('$-1\r\n')).toEqual(['']);
  });
});
