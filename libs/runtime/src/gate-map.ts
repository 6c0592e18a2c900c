import { createGate, type Gate, type GateOptions } from './gate.js';

/** A gate for each id, made when it is first asked for. */
export interface GateMap {
  of(id: string): Gate;
  /** Forgets gates that nobody has asked for since the last sweep, and that nobody is in. */
  sweep(): void;
}

/** As of a gate; the bound may be asked for by the gate's id. */
export type GateMapOptions = Omit<GateOptions, 'runningMax'> & { readonly runningMax: number | ((id: string) => number) };

export function createGateMap({ runningMax, ...options }: GateMapOptions): GateMap {
  const make = (id: string): Gate => createGate({ ...options, runningMax: typeof runningMax === 'number' ? runningMax : () => runningMax(id) });
  /** Asked for since the last sweep, and before it. */
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
