import { expect, it } from 'vitest';
import { BEGINNING_CHOICES, toStarter, STARTER_CHOICES } from './beginnings.js';

it('a new project offers the ready-made schemas first and the empty one last', () => {
  expect(BEGINNING_CHOICES.map(({ value }) => value)).toEqual(['blog', 'shop', 'sql', 'describe', 'empty']);
});

it('every schema that a new project offers is a starter of the server', () => {
  const known = STARTER_CHOICES.map(({ value }) => value);
  expect(BEGINNING_CHOICES.map(({ value }) => toStarter(value))).toEqual([
    'blog',
    'shop',
    'empty',
    'empty',
    'empty',
  ]);
  for (const { value } of BEGINNING_CHOICES) expect(known).toContain(toStarter(value));
});
