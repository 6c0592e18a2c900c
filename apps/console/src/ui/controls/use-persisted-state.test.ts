import { afterEach, expect, it, vi } from 'vitest';
import { readText, writeText } from './use-persisted-state.js';

afterEach(() => vi.unstubAllGlobals());

function stubStorage(isOpen: boolean): Map<string, string> {
  const cache = new Map<string, string>();
  const refuse = (): never => {
    throw new Error('switched off');
  };
  vi.stubGlobal(
    'localStorage',
    isOpen
      ? {
          getItem: (key: string) => cache.get(key) ?? null,
          setItem: (key: string, text: string) => cache.set(key, text),
          removeItem: (key: string) => cache.delete(key),
        }
      : { getItem: refuse, setItem: refuse, removeItem: refuse },
  );
  return cache;
}

it('usePersistedState stores a value in the browser under its name', () => {
  const cache = stubStorage(true);
  expect(readText('widths')).toBeNull();
  writeText('widths', '{"name":90}');
  expect(readText('widths')).toBe('{"name":90}');
  expect([...cache]).toEqual([['widths', '{"name":90}']]);
  writeText('widths', null);
  expect([cache.size, readText('widths')]).toEqual([0, null]);
});

it('usePersistedState without browser storage holds a value until the page is left', () => {
  stubStorage(false);
  expect(readText('runs')).toBeNull();
  writeText('runs', '[1]');
  expect(readText('runs')).toBe('[1]');
  writeText('runs', null);
  expect(readText('runs')).toBeNull();
});
