import type { AppError } from '@rowhouse/errors';

/** Holds one gate per id, created on first use. */
export interface GateMap {
  of(id: string): Gate;
  /** Removes gates that are empty and were not requested since the last sweep. */
  sweep(): void;
}

/** The options of a gate. The limit may depend on the gate's id. */
export type GateMapOptions = Omit<GateOptions, 'runningMax'> & {
  readonly runningMax: number | ((id: string) => number);
};

/** Limits concurrency to `runningMax`. Further callers queue, each for up to `waitMs`. */
export interface Gate {
  /** Resolves with a function that frees the slot, to be called once. Rejects like `run`. */
  enter(): Promise<() => void>;
  /**
   * Runs `callback` in a slot. Throws `toError()` when no slot becomes free in time. With `holdUntil`, work
   * can keep the slot until a promise settles, even after `callback` itself has ended.
   */
  run<T>(callback: (holdUntil: (disconnected: Promise<unknown>) => void) => Promise<T>): Promise<T>;
  /** Returns whether no caller is running or waiting. */
  isEmpty(): boolean;
}

export interface GateOptions {
  /** A function returns the current limit, at least 1. */
  readonly runningMax: number | (() => number);
  readonly waitingMax: number;
  readonly waitMs: number;
  readonly toError: () => AppError;
}

export function createGate(options: GateOptions): Gate {
  let running = 0;
  const line: (() => void)[] = [];
  const hasCapacity = (): boolean =>
    running < (typeof options.runningMax === 'number' ? options.runningMax : options.runningMax());

  function enter(): Promise<void> {
    if (line.length === 0 && hasCapacity()) {
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

  /** The slot goes directly to the next caller in the queue. More callers enter if the limit has grown. */
  function leave(): void {
    running -= 1;
    while (line.length > 0 && hasCapacity()) {
      running += 1;
      line.shift()?.();
    }
  }

  return {
    enter: () => enter().then(() => leave),
    isEmpty: () => running === 0 && line.length === 0,
    async run(callback) {
      await enter();
      const held: Promise<unknown>[] = [];
      try {
        return await callback((disconnected) => void held.push(disconnected));
      } finally {
        if (held.length === 0) leave();
        else void Promise.allSettled(held).then(leave);
      }
    },
  };
}

export function createGateMap({ runningMax, ...options }: GateMapOptions): GateMap {
  const make = (id: string): Gate =>
    createGate({
      ...options,
      runningMax: typeof runningMax === 'number' ? runningMax : () => runningMax(id),
    });
  /** Gates requested since the last sweep, and gates requested before it. */
  let young = new Map<string, Gate>();
  let old = new Map<string, Gate>();
  return {
    of(id) {
      const gate = young.get(id) ?? old.get(id) ?? make(id);
      young.set(id, gate);
      return gate;
    },
    sweep() {
      const inUse = [...old].filter(([id, gate]) => !young.has(id) && !gate.isEmpty());
      old = new Map([...young, ...inUse]);
      young = new Map();
    },
  };
}
