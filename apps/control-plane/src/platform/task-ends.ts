import { setTimeout as pause } from 'node:timers/promises';
import type { TaskError, TaskState } from '@rowhouse/contracts';

/** How a task has ended. */
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

const LOOK_INTERVAL_MS = 20;
/** Asked for in one statement. */
const IDS_PER_LOOK = 200;

/**
 * The ends of tasks that calls wait for. However many wait, one look at a time asks for all of them: each by itself would ask
 * the platform database, which all share, fifty times a second.
 */
export class TaskEnds {
  readonly #waiters = new Map<string, Set<Waiter>>();
  #isLooking = false;

  /** `read` answers those of the tasks that have ended. */
  constructor(private readonly read: (ids: readonly string[]) => Promise<readonly TaskEnd[]>) {}

  /** Null: it has not ended in time. Rejects where the platform database cannot be asked. */
  async wait(taskId: string, deadlineMs: number): Promise<TaskEnd | null> {
    let timer: NodeJS.Timeout | undefined;
    let waiter: Waiter | undefined;
    try {
      return await new Promise<TaskEnd | null>((resolve, reject) => {
        waiter = { resolve, reject };
        const waiters = this.#waiters.get(taskId) ?? new Set();
        this.#waiters.set(taskId, waiters.add(waiter));
        timer = setTimeout(() => resolve(null), deadlineMs);
        void this.#look();
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

  /** Until nobody waits. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#waiters.size > 0) {
      const ids = [...this.#waiters.keys()];
      for (let at = 0; at < ids.length; at += IDS_PER_LOOK) await this.#lookAt(ids.slice(at, at + IDS_PER_LOOK));
      await pause(LOOK_INTERVAL_MS);
    }
    this.#isLooking = false;
  }

  async #lookAt(ids: readonly string[]): Promise<void> {
    try {
      for (const end of await this.read(ids)) for (const { resolve } of this.#waiters.get(end.id) ?? []) resolve(end);
    } catch (error) {
      for (const id of ids) for (const { reject } of this.#waiters.get(id) ?? []) reject(error);
    }
  }
}
