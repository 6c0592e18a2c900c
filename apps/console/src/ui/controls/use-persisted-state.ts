import { useCallback, useMemo, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
/** Values that the browser could not store. They are lost when the user leaves the page. */
const inMemory = new Map<string, string>();

/**
 * Returns a JSON value that the browser stores under a name, and a function that sets it. All windows of the
 * browser share the value. It is written only when it changes.
 */
export function usePersistedState<Value>(
  key: string,
  initial: Value,
): readonly [Value, (next: Value | ((old: Value) => Value)) => void] {
  const text = useSyncExternalStore(
    subscribe,
    () => readText(key),
    () => null,
  );
  const persisted = useMemo(() => parse<Value>(text), [text]);
  const keep = useCallback(
    (next: Value | ((old: Value) => Value)) => {
      const old = parse<Value>(readText(key)) ?? initial;
      writeText(
        key,
        JSON.stringify(typeof next === 'function' ? (next as (old: Value) => Value)(old) : next),
      );
    },
    [key],
  );
  return [persisted ?? initial, keep];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Returns the stored text. Null if there is no such text. */
export function readText(key: string): string | null {
  try {
    return inMemory.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Stores a text under a name; null removes it. If the browser cannot store it, it is kept in memory until the
 * user leaves the page.
 */
export function writeText(key: string, text: string | null): void {
  inMemory.delete(key);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The browser's storage is disabled or full.
    if (text !== null) inMemory.set(key, text);
  }
  for (const listener of listeners) listener();
}

function parse<Value>(text: string | null): Value | undefined {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}
