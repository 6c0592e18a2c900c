import { ConnectionLost } from './pool-fault.js';

/** A statement that nobody waits for any more keeps its session for so long at most: MySQL may have gigabytes of temporary files to take away. */
const LEFT_MS_MAX = 5_000;

/** A statement that is owed an answer. */
export interface Pending {
  /** It will not come, or is a refusal. */
  readonly fail: (error: unknown) => void;
  /** Its caller waits no longer; it may come. */
  readonly leave: (error: unknown) => void;
}

/** How a statement is begun. `resolve` and `reject` say as well as `ended` that the server is done with it. */
export type Begin<T> = (resolve: (value: T) => void, reject: (error: unknown) => void, hooks: BeginHooks) => void;

export interface BeginHooks {
  readonly ended: () => void;
  /** What else to do when its caller waits no longer. */
  readonly onLeave: (work: () => void) => void;
}

export interface DebtOptions {
  /** The server's last word came before the end of the connection was seen. */
  readonly onLost: (error: ConnectionLost) => void;
  /** Nothing is pending now. */
  readonly onSettled: () => void;
  /** A statement that was left did not end. */
  readonly onOverdue: () => void;
}

/** What the server owes a session: the answer to the statement at work, or the end of one whose caller waits no longer. */
export class Debt {
  pending: Pending | null = null;
  readonly #options: DebtOptions;
  #left: { readonly pending: Pending; readonly gone: Promise<void>; readonly end: () => void } | null = null;

  constructor(options: DebtOptions) {
    this.#options = options;
  }

  /** See `PoolSession.gone`. */
  get gone(): Promise<void> | null {
    return this.#left?.gone ?? null;
  }

  /** The driver tells a lost connection to the connection, not to the statement: both roads end here, once. */
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
          // Nobody may send anything in between.
          if (error instanceof ConnectionLost) this.#options.onLost(error);
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
        start(done, pending.fail, { ended, onLeave: (work) => (whenLeft = work) });
      } catch (error) {
        pending.fail(error);
      }
    });
  }

  /** Its caller is told; whoever counts what runs on the server counts it until that is done with it. */
  leave(pending: Pending, isTimeout: boolean): void {
    let resolve: () => void = () => undefined;
    const gone = new Promise<void>((done) => (resolve = done));
    const end = (): void => {
      clearTimeout(timer);
      if (this.#left?.pending === pending) this.#left = null;
      resolve();
    };
    const timer = setTimeout(() => this.#options.onOverdue(), LEFT_MS_MAX);
    timer.unref();
    this.#left = { pending, gone, end };
    pending.leave(new ConnectionLost('a statement did not stop', isTimeout));
  }

  /** The session has ended: nothing more comes. */
  cancel(error: ConnectionLost): void {
    this.pending?.fail(error);
    this.#left?.end();
  }
}
