import { useCallback, useMemo, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
/** Where the browser keeps nothing: until the page is left. */
const inMemory = new Map<string, string>();

/** What this browser keeps under a name, as JSON, the same in all its windows. Nothing is written before it is changed. */
export function useKept<Value>(key: string, initial: Value): readonly [Value, (next: Value | ((old: Value) => Value)) => void] {
  const text = useSyncExternalStore(subscribe, () => readText(key), () => null);
  const kept = useMemo(() => parse<Value>(text), [text]);
  const keep = useCallback((next: Value | ((old: Value) => Value)) => {
    const old = parse<Value>(readText(key)) ?? initial;
    writeText(key, JSON.stringify(typeof next === 'function' ? (next as (old: Value) => Value)(old) : next));
  }, [key]);
  return [kept ?? initial, keep];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Null: nothing is kept. */
export function readText(key: string): string | null {
  try {
    return inMemory.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null: nothing is to be kept. Where the browser refuses, the text lives as long as the page. */
export function writeText(key: string, text: string | null): void {
  inMemory.delete(key);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Switched off, or full.
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
