import { setTimeout as pause } from 'node:timers/promises';
import type { TaskError, TaskState } from '@rowhouse/contracts';

/** The result with which a task ended. */
export interface TaskEnd {
  readonly id: string;
  readonly state: Extract<TaskState, 'done' | 'failed'>;
  readonly result: string | null;
  readonly error: string | TaskError | null;
}

interface Waiter {
  readonly resolve: (end: TaskEnd | null) => void;
  readonly reject: (error: unknown) => void;
}

const CHECK_INTERVAL_MS = 20;
/** The maximum number of task ids per statement. */
const IDS_PER_CHECK = 200;

/**
 * Waits until tasks end. A single poll serves all callers. If each caller polled separately, each would query
 * the shared platform database fifty times a second.
 */
export class TaskEnds {
  readonly #waiters = new Map<string, Set<Waiter>>();
  #isLooking = false;

  /** `read` returns the tasks that have ended. */
  constructor(private readonly read: (ids: readonly string[]) => Promise<readonly TaskEnd[]>) {}

  /**
   * Waits until a task ends. Returns null at the deadline. Rejects when the platform database cannot be
   * queried.
   */
  async wait(taskId: string, deadlineMs: number): Promise<TaskEnd | null> {
    let timer: NodeJS.Timeout | undefined;
    let waiter: Waiter | undefined;
    try {
      return await new Promise<TaskEnd | null>((resolve, reject) => {
        waiter = { resolve, reject };
        const waiters = this.#waiters.get(taskId) ?? new Set();
        this.#waiters.set(taskId, waiters.add(waiter));
        timer = setTimeout(() => resolve(null), deadlineMs);
        void this.#check();
      });
    } finally {
      clearTimeout(timer);
      if (waiter !== undefined) this.#leave(taskId, waiter);
    }
  }

  #leave(taskId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(taskId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiters.delete(taskId);
  }

  /** Polls until no caller waits. */
  async #check(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#waiters.size > 0) {
      const ids = [...this.#waiters.keys()];
      for (let index = 0; index < ids.length; index += IDS_PER_CHECK)
        await this.#lookAt(ids.slice(index, index + IDS_PER_CHECK));
      await pause(CHECK_INTERVAL_MS);
    }
    this.#isLooking = false;
  }

  async #lookAt(ids: readonly string[]): Promise<void> {
    try {
      for (const end of await this.read(ids))
        for (const { resolve } of this.#waiters.get(end.id) ?? []) resolve(end);
    } catch (error) {
      for (const id of ids) for (const { reject } of this.#waiters.get(id) ?? []) reject(error);
    }
  }
}
