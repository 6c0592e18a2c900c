import { useCallback, useMemo, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
/** Used until the page is left when the browser stores nothing. */
const inMemory = new Map<string, string>();

/**
 * Returns a JSON value that the browser stores under a name, shared by all its windows. It is only written
 * when it changes.
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

/** Null when nothing is stored. */
export function readText(key: string): string | null {
  try {
    return inMemory.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null removes the value. If the browser refuses, the text is kept until the page is left. */
export function writeText(key: string, text: string | null): void {
  inMemory.delete(key);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Storage is disabled or full.
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
