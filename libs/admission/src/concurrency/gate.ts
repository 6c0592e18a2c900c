import type { AppError } from '@rowhouse/errors';

/** One gate for each id, created on first use. */
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
  /** Waits for a slot. Resolves with a function that frees it and must be called once. Rejects like `run`. */
  enter(): Promise<() => void>;
  /**
   * Runs `callback` in a slot. Throws `toError()` when no slot becomes free in time. With `holdUntil`, the
   * callback can hold the slot until a promise settles, even after the callback itself has ended.
   */
  run<T>(callback: (holdUntil: (until: Promise<unknown>) => void) => Promise<T>): Promise<T>;
  /** Returns whether no caller is running or waiting. */
  isEmpty(): boolean;
}

export interface GateOptions {
  /** The limit, or a function that returns the current limit. It is at least 1. */
  readonly runningMax: number | (() => number);
  readonly waitingMax: number;
  readonly waitMs: number;
  readonly toError: () => AppError;
}

export function createGate(options: GateOptions): Gate {
  let running = 0;
  const queue: (() => void)[] = [];
  const hasCapacity = (): boolean =>
    running < (typeof options.runningMax === 'number' ? options.runningMax : options.runningMax());

  function enter(): Promise<void> {
    if (queue.length === 0 && hasCapacity()) {
      running += 1;
      return Promise.resolve();
    }
    if (queue.length >= options.waitingMax) return Promise.reject(options.toError());
    return new Promise((resolve, reject) => {
      const proceed = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(proceed), 1);
        reject(options.toError());
      }, options.waitMs);
      queue.push(proceed);
    });
  }

  /** Frees a slot, and admits waiting callers while there is capacity. */
  function leave(): void {
    running -= 1;
    while (queue.length > 0 && hasCapacity()) {
      running += 1;
      queue.shift()?.();
    }
  }

  return {
    enter: () => enter().then(() => leave),
    isEmpty: () => running === 0 && queue.length === 0,
    async run(callback) {
      await enter();
      const held: Promise<unknown>[] = [];
      try {
        return await callback((until) => void held.push(until));
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
  /** The gates used since the last sweep. `old` has those used before it. */
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
