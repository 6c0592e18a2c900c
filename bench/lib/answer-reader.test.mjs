// @ts-check
import { expect, it } from 'vitest';
import { createResponseReader } from './answer-reader.mjs';

const COUNTED = 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"id":7}';
const CHUNKED = 'HTTP/1.1 500 Broken\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
const EMPTY = 'HTTP/1.1 204 No Content\r\n\r\n';

it('the response reader finds the end of a response, wherever its bytes are split', () => {
  for (const size of [1, 2, 5, 1_000]) {
    const reader = createResponseReader(true);
    for (const [text, isOk, body] of [
      [COUNTED, true, '{"id":7}'],
      [CHUNKED, false, '3\r\nabc\r\n0\r\n\r\n'],
      [EMPTY, true, ''],
      [COUNTED, true, '{"id":7}'],
    ]) {
      const answers = [];
      for (let index = 0; index < String(text).length; index += size)
        answers.push(reader.take(Buffer.from(String(text).slice(index, index + size))));
      expect(answers.slice(0, -1).every((answer) => answer === null)).toBe(true);
      expect(answers.at(-1)).toEqual({ isOk });
      expect(reader.lastBody()).toBe(body);
    }
  }
});
