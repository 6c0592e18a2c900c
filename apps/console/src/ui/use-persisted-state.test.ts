import { afterEach, expect, it, vi } from 'vitest';
import { readText, writeText } from './use-kept.js';

afterEach(() => vi.unstubAllGlobals());

function stubStorage(isOpen: boolean): Map<string, string> {
  const kept = new Map<string, string>();
  const refuse = (): never => {
    throw new Error('switched off');
  };
  vi.stubGlobal('localStorage', isOpen ? { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => kept.set(key, text), removeItem: (key: string) => kept.delete(key) } : { getItem: refuse, setItem: refuse, removeItem: refuse });
  return kept;
}

it('a value is stored in the browser under its name', () => {
  const kept = stubStorage(true);
  expect(readText('widths')).toBeNull();
  writeText('widths', '{"name":90}');
  expect(readText('widths')).toBe('{"name":90}');
  expect([...kept]).toEqual([['widths', '{"name":90}']]);
  writeText('widths', null);
  expect([kept.size, readText('widths')]).toEqual([0, null]);
});

it('without storage, a value is kept until the page is left', () => {
  stubStorage(false);
  expect(readText('runs')).toBeNull();
  writeText('runs', '[1]');
  expect(readText('runs')).toBe('[1]');
  writeText('runs', null);
  expect(readText('runs')).toBeNull();
});
