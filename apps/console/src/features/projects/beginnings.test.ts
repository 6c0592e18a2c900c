import { expect, it } from 'vitest';
import { BEGINNING_CHOICES, toStarter } from './beginnings.js';
import { STARTER_CHOICES } from './starters.js';

it('offers each beginning once, ready-made ones first and nothing at all last', () => {
  expect(BEGINNING_CHOICES.map(({ value }) => value)).toEqual(['blog', 'shop', 'sql', 'words', 'empty']);
});

it('begins with a starter that the server knows', () => {
  const known = STARTER_CHOICES.map(({ value }) => value);
  expect(BEGINNING_CHOICES.map(({ value }) => toStarter(value))).toEqual(['blog', 'shop', 'empty', 'empty', 'empty']);
  for (const { value } of BEGINNING_CHOICES) expect(known).toContain(toStarter(value));
});
