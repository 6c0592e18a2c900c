import { useSyncExternalStore } from 'react';
import { forgetSessionKeys } from '../gateway/session-keys.js';

/** An API key whose secret this tab has received. `isFirst` marks the key that was created at sign-up. */
export interface HeldSecret {
  readonly secret: string;
  readonly name: string;
  readonly isFirst?: boolean;
  /** The id of the key. Absent for the first key, because the response to a sign-up does not contain its id. */
  readonly keyId?: string;
}

/**
 * The secrets of the API keys that were created in this browser tab, by database. Code examples contain the
 * selected secret and run with it. It comes first in its list. Secrets are held only in memory, because
 * neither the platform nor the browser stores a readable copy.
 */
const secrets = new Map<string, readonly HeldSecret[]>();
const NONE: readonly HeldSecret[] = [];
const listeners = new Set<() => void>();

/** Holds a new secret and selects it for code examples. */
export function holdSecret(databaseId: string, held: HeldSecret): void {
  put(databaseId, [held, ...listHeld(databaseId)]);
}

/** Selects one of the held secrets for code examples. */
export function chooseSecret(databaseId: string, secret: string): void {
  const held = listHeld(databaseId);
  put(databaseId, [
    ...held.filter((item) => item.secret === secret),
    ...held.filter((item) => item.secret !== secret),
  ]);
}

/** Forgets the secret of a revoked key. If the secret's key id is unknown, its last four characters decide. */
export function forgetSecret(databaseId: string, key: { readonly id: string; readonly last4: string }): void {
  const held = listHeld(databaseId);
  const left = held.filter(({ secret, keyId }) =>
    keyId === undefined ? !secret.endsWith(key.last4) : keyId !== key.id,
  );
  if (left.length < held.length) put(databaseId, left);
}

export function forgetSecrets(): void {
  secrets.clear();
  forgetSessionKeys();
  notify();
}

/** Returns the selected secret of a database. Null if this tab holds none. */
export function useHeldSecret(databaseId: string): HeldSecret | null {
  return useHeldSecrets(databaseId)[0] ?? null;
}

/** Returns all held secrets of a database. The selected secret comes first. */
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
