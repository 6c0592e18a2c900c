import { expect, it } from 'vitest';
import { toPrintable } from './output.js';

it.each([
  ['a clear screen\u001b[2J\u001b[H', String.raw`a clear screen\u001b[2J\u001b[H`],
  ['a window’s title \u001b]0;x\u0007', String.raw`a window’s title \u001b]0;x\u0007`],
  ['the clipboard \u009d52;c;eA==\u009c', String.raw`the clipboard \u009d52;c;eA==\u009c`],
  ['hidden \u001b[8mDROP TABLE users', String.raw`hidden \u001b[8mDROP TABLE users`],
  ['the line again\rsomething else', String.raw`the line again\u000dsomething else`],
  ['backwards \u202egnp.exe', String.raw`backwards \u202egnp.exe`],
  ['two\r\nlines\tand 名前 👩‍💻', 'two\nlines\tand 名前 👩‍💻'],
  ['\u001b[1mbold\u001b[22m', '\u001b[1mbold\u001b[22m'],
])('toPrintable escapes the control characters in %j', (text, visible) => {
  expect(toPrintable(text)).toBe(visible);
});
