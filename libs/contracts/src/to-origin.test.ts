import { expect, it } from 'vitest';
import { toOrigin } from './to-origin.js';

it.each([
  ['https://app.example.com', 'https://app.example.com'],
  [' HTTPS://App.Example.com/ ', 'https://app.example.com'],
  ['https://a.example:443', 'https://a.example'],
  ['http://a.example:443', 'http://a.example:443'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['http://[::1]:80', 'http://[::1]'],
  ['chrome-extension://abcdef', 'chrome-extension://abcdef'],
  ['null', 'null'],
  ['app.example.com', null],
  ['https://app.example.com/path', null],
  ['https://a.example?x', null],
  ['https://*.example.com', null],
  ['https://user@a.example', null],
  ['*', null],
  ['', null],
  ['https://', null],
])('toOrigin returns for %j: %j', (text, expected) => {
  expect(toOrigin(text)).toBe(expected);
});
