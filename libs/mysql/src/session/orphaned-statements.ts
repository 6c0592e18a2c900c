import { ConnectionLostError } from '../faults.js';

/**
 * The maximum time that an orphaned statement may occupy its session. MySQL may end a stopped statement late,
 * when it has to delete gigabytes of temporary files first.
 */
const ORPHANED_MS_MAX = 5_000;

/** A statement whose response has not arrived yet. */
export interface Pending {
  /** Reports that no response will come, or that the response is an error. */
  readonly fail: (error: unknown) => void;
  /** Reports that the caller stopped waiting. The response may still come. */
  readonly leave: (error: unknown) => void;
}

/**
 * Starts a statement. A call of `resolve` or `reject` also means that the server has finished with the
 * statement, as a call of `ended` does.
 */
export type Begin<T> = (
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
  hooks: BeginHooks,
) => void;

export interface BeginHooks {
  /** Reports that the server has finished with the statement. */
  readonly ended: () => void;
  /** Registers a callback for the moment when the caller stops waiting. */
  readonly onLeave: (callback: () => void) => void;
}

export interface OrphanedStatementsOptions {
  /** Called when the connection was lost while a statement was pending. */
  readonly onLost: (error: ConnectionLostError) => void;
  /** Called when no statement is pending any more. */
  readonly onSettled: () => void;
  /** Called when an orphaned statement did not end in time. */
  readonly onOverdue: () => void;
}

/**
 * Tracks the statement whose response a session waits for, and the orphaned statement that the server may
 * still run.
 */
export class OrphanedStatements {
  pending: Pending | null = null;
  readonly #options: OrphanedStatementsOptions;
  #orphaned: { readonly pending: Pending; readonly ended: Promise<void>; readonly end: () => void } | null =
    null;

  constructor(options: OrphanedStatementsOptions) {
    this.#options = options;
  }

  /** See `PoolSession.orphanEnded`. */
  get orphanEnded(): Promise<void> | null {
    return this.#orphaned?.ended ?? null;
  }

  /**
   * Starts a statement and settles with its outcome. If the connection is lost, the driver reports this on
   * the connection instead of the statement, and `cancel` rejects the statement.
   */
  begin<T>(start: Begin<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let whenLeft: () => void = () => undefined;
      const settle = (): void => {
        if (this.pending !== pending) return;
        this.pending = null;
        this.#options.onSettled();
      };
      const ended = (): void => {
        if (this.#orphaned?.pending === pending) this.#orphaned.end();
      };
      const pending: Pending = {
        fail: (error) => {
          settle();
          // The session is marked as lost before `ended` is called, so that it is not lent again.
          if (error instanceof ConnectionLostError) this.#options.onLost(error);
          ended();
          reject(error);
        },
        leave: (error) => {
          settle();
          whenLeft();
          reject(error);
        },
      };
      this.pending = pending;
      const done = (value: T): void => {
        ended();
        settle();
        resolve(value);
      };
      try {
        start(done, pending.fail, { ended, onLeave: (callback) => (whenLeft = callback) });
      } catch (error) {
        pending.fail(error);
      }
    });
  }

  /**
   * Rejects the caller of a statement that the server still runs. From then on, the statement is the
   * session's orphaned statement, until the server has finished with it.
   */
  leave(pending: Pending, isTimeout: boolean): void {
    let resolve: () => void = () => undefined;
    const endedPromise = new Promise<void>((done) => (resolve = done));
    const end = (): void => {
      clearTimeout(timer);
      if (this.#orphaned?.pending === pending) this.#orphaned = null;
      resolve();
    };
    const timer = setTimeout(() => this.#options.onOverdue(), ORPHANED_MS_MAX);
    timer.unref();
    this.#orphaned = { pending, ended: endedPromise, end };
    pending.leave(new ConnectionLostError('a statement did not stop', isTimeout));
  }

  /** Rejects the pending statement, and marks the orphaned one as ended, because the session has ended. */
  cancel(error: ConnectionLostError): void {
    this.pending?.fail(error);
    this.#orphaned?.end();
  }
}
