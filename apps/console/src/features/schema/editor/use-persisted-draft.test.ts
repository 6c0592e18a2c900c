import { afterEach, expect, it, vi } from 'vitest';
import { callHook } from '../../../testing/call-hook.js';
import { addToDraft, keepDraft, usePersistedDraft } from './use-persisted-draft.js';

afterEach(() => vi.unstubAllGlobals());

it('the schema editor restores a stored draft and appends added text to it', () => {
  const cache = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    setItem: (name: string, text: string) => cache.set(name, text),
    getItem: (name: string) => cache.get(name) ?? null,
    removeItem: (name: string) => cache.delete(name),
  });
  addToDraft('p-statements', 'one;');
  addToDraft('p-statements', 'two;');
  expect(callHook(() => usePersistedDraft('p-statements'))[0]).toBe('one;\ntwo;');
  keepDraft('p-statements', '');
  expect(cache.size).toBe(0);
});

it('the schema editor starts with an empty draft if browser storage is not available', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('switched off');
    },
  });
  expect(callHook(() => usePersistedDraft('p-words'))[0]).toBe('');
});
