import { expect, it } from 'vitest';
import { createActors } from './detector.js';

it('the last user seen alone is named, and none if two were seen together', () => {
  let nowMs = 0;
  const actors = createActors(() => nowMs);
  expect(actors.find('db_1')).toBe('');
  actors.note('db_1', ['con_a']);
  actors.note('db_1', ['con_a']);
  expect(actors.find('db_1')).toBe('con_a');
  actors.note('db_1', ['con_b']);
  expect(actors.find('db_1')).toBe('');
  nowMs = 1_000;
  actors.note('db_1', ['con_b']);
  expect(actors.find('db_1')).toBe('con_b');
  nowMs = 2_000;
  actors.note('db_1', ['con_a', 'con_b']);
  expect(actors.find('db_1')).toBe('');
  expect(actors.find('db_2')).toBe('');
});
