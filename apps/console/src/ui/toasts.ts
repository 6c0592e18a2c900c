import { useSyncExternalStore } from 'react';

export interface ToastWish {
  readonly text: string;
  readonly tone?: 'brick';
  /** Of the request that failed; null: there was none. */
  readonly requestId?: string | null;
  /** Takes back what the toast tells of. The toast then goes; a refusal is told in another one. */
  readonly undo?: () => Promise<unknown>;
}

export interface Toast extends ToastWish {
  readonly id: number;
}

const SHOWN_MAX = 3;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Tells of something done, in the corner of the page; with `undo` it can be taken back from there. Answers the id by which it can be put away. */
export function showToast(wish: ToastWish): number {
  lastId += 1;
  set([...toasts, { ...wish, id: lastId }].slice(-SHOWN_MAX));
  return lastId;
}

export function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function readToasts(): readonly Toast[] {
  return toasts;
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, readToasts);
}

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
