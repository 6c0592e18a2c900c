import { useSyncExternalStore } from 'react';
import { forgetSessionKeys } from '../gateway/session-keys.js';

/** A key whose secret this tab has seen. `isFirst` marks the one that sign-up made. */
export interface HeldSecret {
  readonly secret: string;
  readonly name: string;
  readonly isFirst?: boolean;
}

/**
 * Secrets made in this tab, by database, so that snippets can be filled in and run.
 * In memory only: the platform keeps no readable copy, and neither does the browser.
 */
const secrets = new Map<string, HeldSecret>();
const listeners = new Set<() => void>();

export function keepSecret(databaseId: string, held: HeldSecret): void {
  secrets.set(databaseId, held);
  notify();
}

/** Drops a secret whose key was revoked; keys are told apart by their last four characters. */
export function forgetSecret(databaseId: string, last4: string): void {
  if (secrets.get(databaseId)?.secret.endsWith(last4) !== true) return;
  secrets.delete(databaseId);
  notify();
}

export function forgetSecrets(): void {
  secrets.clear();
  forgetSessionKeys();
  notify();
}

/** The secret held for a database, or null. */
export function useHeldSecret(databaseId: string): HeldSecret | null {
  return useSyncExternalStore(subscribe, () => secrets.get(databaseId) ?? null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
