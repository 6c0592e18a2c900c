import { beforeEach, expect, it, vi } from 'vitest';

const listeners = new Map<string, () => void>();
beforeEach(() => {
  listeners.clear();
  vi.resetModules();
  vi.stubGlobal('requestIdleCallback', (act: () => void) => act());
  vi.stubGlobal('window', {
    addEventListener: (name: string, act: () => void) => listeners.set(name, act),
    removeEventListener: (name: string) => listeners.delete(name),
  });
});

it('fetchEarly loads waiting modules at the first input, and later ones at once', async () => {
  const { fetchEarly } = await import('./fetch-early.js');
  const [first, second, third] = [
    vi.fn(async () => 1),
    vi.fn(async () => Promise.reject(new Error('offline'))),
    vi.fn(async () => 3),
  ];
  fetchEarly(first);
  fetchEarly(second);
  expect(first).not.toHaveBeenCalled();
  listeners.get('keydown')?.();
  expect([first, second].map((load) => load.mock.calls.length)).toEqual([1, 1]);
  expect(listeners.size).toBe(0);
  fetchEarly(third);
  expect(third).toHaveBeenCalledOnce();
  expect(first).toHaveBeenCalledOnce();
});
