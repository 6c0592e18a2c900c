import { afterEach, expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { addToDraft, keepDraft, useKeptDraft } from './use-kept-draft.js';

afterEach(() => vi.unstubAllGlobals());

it('a stored draft is found again, and added text is appended to it', () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', { setItem: (name: string, text: string) => kept.set(name, text), getItem: (name: string) => kept.get(name) ?? null, removeItem: (name: string) => kept.delete(name) });
  addToDraft('p-statements', 'one;');
  addToDraft('p-statements', 'two;');
  expect(callHook(() => useKeptDraft('p-statements'))[0]).toBe('one;\ntwo;');
  keepDraft('p-statements', '');
  expect(kept.size).toBe(0);
});

it('a draft is empty where the browser stores nothing', () => {
  vi.stubGlobal('localStorage', { getItem: () => { throw new Error('switched off'); } });
  expect(callHook(() => useKeptDraft('p-words'))[0]).toBe('');
});
