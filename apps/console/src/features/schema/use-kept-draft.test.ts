import { afterEach, expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { addToDraft, keepDraft, useKeptDraft } from './use-kept-draft.js';

afterEach(() => vi.unstubAllGlobals());

it('finds what was put there, and keeps what was there when more comes', () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', { setItem: (name: string, text: string) => kept.set(name, text), getItem: (name: string) => kept.get(name) ?? null, removeItem: (name: string) => kept.delete(name) });
  addToDraft('p-statements', 'one;');
  addToDraft('p-statements', 'two;');
  expect(callHook(() => useKeptDraft('p-statements'))[0]).toBe('one;\ntwo;');
  keepDraft('p-statements', '');
  expect(kept.size).toBe(0);
});

it('is empty where nothing can be kept', () => {
  vi.stubGlobal('localStorage', { getItem: () => { throw new Error('switched off'); } });
  expect(callHook(() => useKeptDraft('p-words'))[0]).toBe('');
});
