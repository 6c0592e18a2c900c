import type { AppError } from '@rowhouse/errors';

/** Gates by id. A gate is created when its id is first used. */
export interface GateMap {
  of(id: string): Gate;
  /** Removes gates that are empty and have not been used since the previous call. */
  sweep(): void;
}

/** The options of gates. The limit may depend on the id of the gate. */
export type GateMapOptions = Omit<GateOptions, 'runningMax'> & {
  readonly runningMax: number | ((id: string) => number);
};

/**
 * Limits the number of callers that run at the same time to `runningMax`. Further callers wait in a queue,
 * for at most `waitMs` each.
 */
export interface Gate {
  /**
   * Waits for a free slot. Resolves with a function that frees the slot. It must be called once. Rejects in
   * the same cases as `run`.
   */
  enter(): Promise<() => void>;
  /**
   * Runs `callback` in a slot. Throws `toError()` if no slot becomes free in time. With `holdUntil`, the
   * callback can keep the slot until a promise settles, even after the callback itself has ended.
   */
  run<T>(callback: (holdUntil: (until: Promise<unknown>) => void) => Promise<T>): Promise<T>;
  /** Reports whether no caller is running or waiting. */
  isEmpty(): boolean;
}

export interface GateOptions {
  /**
   * The maximum number of callers that run at the same time, or a function that returns its current value. It
   * is at least 1.
   */
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

  /** Frees a slot, and lets waiting callers run if there is capacity. */
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
  /** The gates used since the last sweep. `old` contains those that were used before it. */
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
