import type { AppError } from '@rowhouse/errors';

/** Lets at most `runningMax` through at once; the others wait in line, each up to `waitMs`. */
export interface Gate {
  /** Resolves with what gives the place back, to be called once. Rejects like `run`. */
  enter(): Promise<() => void>;
  /** Throws `toError()` when no place became free in time. What `work` leaves behind keeps its place with `holdUntil`, also beyond its end. */
  run<T>(work: (holdUntil: (gone: Promise<unknown>) => void) => Promise<T>): Promise<T>;
  /** Nobody is in it, and nobody waits. */
  isEmpty(): boolean;
}

export interface GateOptions {
  /** A function tells what it is just now, where it changes: one at least. */
  readonly runningMax: number | (() => number);
  readonly waitingMax: number;
  readonly waitMs: number;
  readonly toError: () => AppError;
}

export function createGate(options: GateOptions): Gate {
  let running = 0;
  const line: (() => void)[] = [];
  const hasRoom = (): boolean => running < (typeof options.runningMax === 'number' ? options.runningMax : options.runningMax());

  function enter(): Promise<void> {
    if (line.length === 0 && hasRoom()) {
      running += 1;
      return Promise.resolve();
    }
    if (line.length >= options.waitingMax) return Promise.reject(options.toError());
    return new Promise((resolve, reject) => {
      const proceed = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(proceed), 1);
        reject(options.toError());
      }, options.waitMs);
      line.push(proceed);
    });
  }

  /** The place goes straight to the next in line, and with it what the bound has grown by. */
  function leave(): void {
    running -= 1;
    while (line.length > 0 && hasRoom()) {
      running += 1;
      line.shift()?.();
    }
  }

  return {
    enter: () => enter().then(() => leave),
    isEmpty: () => running === 0 && line.length === 0,
    async run(work) {
      await enter();
      const held: Promise<unknown>[] = [];
      try {
        return await work((gone) => void held.push(gone));
      } finally {
        if (held.length === 0) leave();
        else void Promise.allSettled(held).then(leave);
      }
    },
  };
}
