import { ConnectionLostError } from '../faults.js';

/**
 * The maximum time that an orphaned statement keeps its session. MySQL may have to delete gigabytes of
 * temporary files.
 */
const LEFT_MS_MAX = 5_000;

/** A statement whose response is outstanding. */
export interface Pending {
  /** Reports that no response will come, or that it is an error. */
  readonly fail: (error: unknown) => void;
  /** Reports that the caller stopped waiting. The response may still come. */
  readonly leave: (error: unknown) => void;
}

/** Starts a statement. `resolve` and `reject` also mean that the server is done with it, like `ended`. */
export type Begin<T> = (
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
  hooks: BeginHooks,
) => void;

export interface BeginHooks {
  readonly ended: () => void;
  /** Registers what else to do when the caller stops waiting. */
  readonly onLeave: (callback: () => void) => void;
}

export interface OrphanedStatementsOptions {
  /** The last response arrived before the end of the connection was noticed. */
  readonly onLost: (error: ConnectionLostError) => void;
  /** No statement is outstanding now. */
  readonly onSettled: () => void;
  /** An orphaned statement did not end in time. */
  readonly onOverdue: () => void;
}

/**
 * Tracks what the server owes a session: the response to the running statement, or the end of an orphaned
 * one.
 */
export class OrphanedStatements {
  pending: Pending | null = null;
  readonly #options: OrphanedStatementsOptions;
  #left: { readonly pending: Pending; readonly ended: Promise<void>; readonly end: () => void } | null = null;

  constructor(options: OrphanedStatementsOptions) {
    this.#options = options;
  }

  /** See `PoolSession.orphanEnded`. */
  get orphanEnded(): Promise<void> | null {
    return this.#left?.ended ?? null;
  }

  /**
   * The driver reports a lost connection on the connection, not on the statement. Both ways end here, once.
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
        if (this.#left?.pending === pending) this.#left.end();
      };
      const pending: Pending = {
        fail: (error) => {
          settle();
          // Nothing may be sent in between.
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

  /** Informs the caller. The statement still counts as running until the server is done with it. */
  leave(pending: Pending, isTimeout: boolean): void {
    let resolve: () => void = () => undefined;
    const disconnected = new Promise<void>((done) => (resolve = done));
    const end = (): void => {
      clearTimeout(timer);
      if (this.#left?.pending === pending) this.#left = null;
      resolve();
    };
    const timer = setTimeout(() => this.#options.onOverdue(), LEFT_MS_MAX);
    timer.unref();
    this.#left = { pending, ended: disconnected, end };
    pending.leave(new ConnectionLostError('a statement did not stop', isTimeout));
  }

  /** The session has ended, so nothing more arrives. */
  cancel(error: ConnectionLostError): void {
    this.pending?.fail(error);
    this.#left?.end();
  }
}
