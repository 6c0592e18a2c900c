import { useSyncExternalStore } from 'react';

export interface ToastInput {
  readonly text: string;
  readonly tone?: 'brick';
  /** The id of the failed request. Null if the toast does not report a failed request. */
  readonly requestId?: string | null;
  /** Undoes the action of the toast, which then closes. An error is shown in another toast. */
  readonly undo?: () => Promise<unknown>;
}

export interface Toast extends ToastInput {
  readonly id: number;
}

const SHOWN_MAX = 3;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a toast in the corner of the page, optionally with an undo action. Returns an id for closing it. */
export function showToast(input: ToastInput): number {
  lastId += 1;
  set([...toasts, { ...input, id: lastId }].slice(-SHOWN_MAX));
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
