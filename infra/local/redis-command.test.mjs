import { describe, expect, it } from 'vitest';
import { parseAnswers } from './redis-command.mjs';

/** @param {string} text */
const parse = (text) => parseAnswers(Buffer.from(text));

describe('parseAnswers', () => {
  it('reads simple strings, numbers, lists and errors in a row', () => {
    expect(parse('+OK\r\n:7\r\n*2\r\n$1\r\na\r\n$2\r\nbc\r\n')).toEqual(['OK', '7', ['a', 'bc']]);
    expect(parse('-ERR no\r\n')[0]).toEqual(new Error('ERR no'));
  });

  it('reads text with line ends and counts it in bytes', () => {
    expect(parse('$12\r\na:1\r\nb:\u00e9\r\nc\r\n+PONG\r\n')).toEqual(['a:1\r\nb:\u00e9\r\nc', 'PONG']);
  });

  it('waits for what has not arrived', () => {
    expect(parse('+OK\r\n$5\r\nab')).toEqual(['OK']);
    expect(parse('*2\r\n$1\r\na\r\n')).toEqual([]);
    expect(parse('+PO')).toEqual([]);
  });

  it('reads what is not there as empty', () => {
    expect(parse('$-1\r\n')).toEqual(['']);
  });
});
