import { useSyncExternalStore } from 'react';
import { forgetSessionKeys } from '../gateway/session-keys.js';

/** A key whose secret this tab has seen. `isFirst` marks the one that sign-up made. */
export interface HeldSecret {
  readonly secret: string;
  readonly name: string;
  readonly isFirst?: boolean;
}

/**
 * Secrets made in this tab, by database, so that snippets can be filled in and run: the one in use first.
 * In memory only: the platform keeps no readable copy, and neither does the browser.
 */
const secrets = new Map<string, readonly HeldSecret[]>();
const NONE: readonly HeldSecret[] = [];
const listeners = new Set<() => void>();

/** Keeps one more, which is then the one in use. */
export function keepSecret(databaseId: string, held: HeldSecret): void {
  put(databaseId, [held, ...listHeld(databaseId)]);
}

/** Takes one of those that are held into use. */
export function chooseSecret(databaseId: string, secret: string): void {
  const held = listHeld(databaseId);
  put(databaseId, [...held.filter((one) => one.secret === secret), ...held.filter((one) => one.secret !== secret)]);
}

/** Drops a secret whose key was revoked; keys are told apart by their last four characters. */
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

/** The secret in use for a database, or null. */
export function useHeldSecret(databaseId: string): HeldSecret | null {
  return useHeldSecrets(databaseId)[0] ?? null;
}

/** All that are held for a database, the one in use first. */
export function useHeldSecrets(databaseId: string): readonly HeldSecret[] {
  return useSyncExternalStore(subscribe, () => listHeld(databaseId), () => listHeld(databaseId));
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
