import { expect, it } from 'vitest';
import { isWrite } from './fill-params.js';

it.each([
  ['DELETE FROM posts WHERE id = 1', true],
  ['-- old ones\nupdate posts set title = 1', true],
  ['/* x */ INSERT INTO tags (name) VALUES (1)', true],
  ['SELECT 1', false],
  ['delete all posts', false],
  ['how many updates are there', false],
  ['', false],
])('the SQL text "%s" is a write: %s', (text, expected) => {
  expect(isWrite(text)).toBe(expected);
});
