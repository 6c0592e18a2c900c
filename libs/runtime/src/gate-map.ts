import { createGate, type Gate, type GateOptions } from './gate.js';

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
