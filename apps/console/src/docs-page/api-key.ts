import { useSyncExternalStore } from 'react';

/**
 * The API key for requests from this page. It is held in memory. It is also stored for this browser tab if
 * the reader requests that.
 */
export interface ApiKey {
  readonly secret: string;
  /** `member` keys come from the console. They expire after 15 minutes. */
  readonly source: 'pasted' | 'member';
}

let current: ApiKey | null = null;
const listeners = new Set<() => void>();

const toStorageName = (docs: string): string => `rowhouse-docs-key ${docs}`;

/**
 * Reads the key that the console has put into the fragment of the URL, and removes it from the address and
 * the history. Without one, reads the key that is stored for this tab.
 */
export function startApiKey(docs: string): void {
  const handedOver = /^#key=([\w-]+)$/.exec(location.hash)?.[1];
  if (handedOver !== undefined) {
    history.replaceState(null, '', `${location.pathname}#/`);
    current = { secret: handedOver, source: 'member' };
    return;
  }
  const stored = readStored(docs);
  if (stored !== null) current = { secret: stored, source: 'pasted' };
}

export function useApiKey(): ApiKey | null {
  return useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => current,
  );
}

/** Replaces the key. `isStored` also stores it for this tab, where it survives a reload. */
export function setApiKey(docs: string, secret: string, isStored: boolean): void {
  current = { secret, source: 'pasted' };
  store(docs, isStored ? secret : null);
  for (const listener of listeners) listener();
}

export function forgetApiKey(docs: string): void {
  current = null;
  store(docs, null);
  for (const listener of listeners) listener();
}

function readStored(docs: string): string | null {
  try {
    return sessionStorage.getItem(toStorageName(docs));
  } catch {
    return null;
  }
}

function store(docs: string, secret: string | null): void {
  try {
    if (secret === null) sessionStorage.removeItem(toStorageName(docs));
    else sessionStorage.setItem(toStorageName(docs), secret);
  } catch {
    // The browser's storage may be disabled. The key is then only in memory.
  }
}
