import { expect, it } from 'vitest';
import { describeStep } from './step-list.js';

it.each([
  ['ddl', 'posts', 'Statement on posts'],
  ['acknowledge', '', 'Wait for every gateway'],
  ['publish', '', 'Publish'],
  ['new_kind', '', 'new kind'],
])('the step %s of "%s" is described as "%s"', (kind, table, words) => {
  expect(describeStep({ kind, table })).toBe(words);
});
