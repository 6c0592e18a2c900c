import { useSyncExternalStore } from 'react';
import { forgetSessionKeys } from '../gateway/session-keys.js';

/** A key whose secret this tab has received. `isFirst` marks the key of the sign-up. */
export interface HeldSecret {
  readonly secret: string;
  readonly name: string;
  readonly isFirst?: boolean;
}

/**
 * Secrets created in this tab by database, for filling in and running snippets. The one in use comes first.
 * They are in memory only, because neither the platform nor the browser stores a readable copy.
 */
const secrets = new Map<string, readonly HeldSecret[]>();
const NONE: readonly HeldSecret[] = [];
const listeners = new Set<() => void>();

/** Stores a secret and puts it in use. */
export function holdSecret(databaseId: string, held: HeldSecret): void {
  put(databaseId, [held, ...listHeld(databaseId)]);
}

/** Puts one of the held secrets in use. */
export function chooseSecret(databaseId: string, secret: string): void {
  const held = listHeld(databaseId);
  put(databaseId, [
    ...held.filter((item) => item.secret === secret),
    ...held.filter((item) => item.secret !== secret),
  ]);
}

/** Forgets the secret of a revoked key, which is identified by its last four characters. */
export function forgetSecret(databaseId: string, last4: string): void {
  const held = listHeld(databaseId);
  const left = held.filter(({ secret }) => !secret.endsWith(last4));
  if (left.length < held.length) put(databaseId, left);
}

export function forgetSecrets(): void {
  secrets.clear();
  forgetSessionKeys();
  notify();
}

/** Returns the secret in use for a database, or null. */
export function useHeldSecret(databaseId: string): HeldSecret | null {
  return useHeldSecrets(databaseId)[0] ?? null;
}

/** Returns all held secrets of a database, with the one in use first. */
export function useHeldSecrets(databaseId: string): readonly HeldSecret[] {
  return useSyncExternalStore(
    subscribe,
    () => listHeld(databaseId),
    () => listHeld(databaseId),
  );
}

function listHeld(databaseId: string): readonly HeldSecret[] {
  return secrets.get(databaseId) ?? NONE;
}

function put(databaseId: string, held: readonly HeldSecret[]): void {
  secrets.set(databaseId, held);
  notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
