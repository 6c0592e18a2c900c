import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { theme } from '../ui/theme/theme.js';
import { themeVariables, writeVariables } from './theme-variables.js';

const styles = join(dirname(createRequire(import.meta.url).resolve('@mantine/core')), '..', 'styles');

it('the console build replaces only the variable style sheet of the component library', () => {
  const { filter } = themeVariables(theme).load as { filter: { id: RegExp } };
  const path = join(styles, 'default-css-variables.css');
  expect(existsSync(path)).toBe(true);
  expect([path, join(styles, 'global.css')].map((id) => filter.id.test(id))).toEqual([true, false]);
});

it('theme variables are written for both color schemes', () => {
  const css = writeVariables(theme);
  expect(css).toMatch(/^:root, :host ?\{--mantine-z-index-app: 100;/);
  expect(css).toContain('--mantine-radius-md: 7px;');
  expect(css).toContain('--mantine-color-pine-8: #1f6249;');
  expect(css).toMatch(/\[data-mantine-color-scheme="dark"\][^}]*--mantine-color-scheme: dark/);
  expect(css).not.toMatch(/&(quot|amp|lt|gt);/);
});

it('the console build fails if no component imports the variable style sheet', () => {
  const refuse = (): never => {
    throw new Error('no longer there');
  };
  const end = themeVariables(theme).buildEnd as unknown as (
    this: { error: () => never },
    error?: Error,
  ) => void;
  expect(() => end.call({ error: refuse })).toThrow('no longer there');
});
