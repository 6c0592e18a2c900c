import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { stableIds } from './stable-ids.js';

const MANTINE = join(dirname(createRequire(import.meta.url).resolve('@mantine/hooks')), '..');

it('the console build replaces only the id module of the component library', () => {
  const { filter } = stableIds().load as { filter: { id: RegExp } };
  const path = join(MANTINE, 'esm', 'use-id', 'use-id.mjs');
  expect(existsSync(path)).toBe(true);
  expect(
    [path, join(MANTINE, 'esm', 'use-disclosure', 'use-disclosure.mjs')].map((id) => filter.id.test(id)),
  ).toEqual([true, false]);
});

it('the console build fails if no component imports the id module', () => {
  const refuse = (): never => {
    throw new Error('no longer there');
  };
  const end = stableIds().buildEnd as unknown as (this: { error: () => never }, error?: Error) => void;
  expect(() => end.call({ error: refuse })).toThrow('no longer there');
  expect(() => end.call({ error: refuse }, new Error('of another'))).not.toThrow();
});
