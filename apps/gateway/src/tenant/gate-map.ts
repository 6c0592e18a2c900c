import { createGate, type Gate, type GateOptions } from './gate.js';

/** A gate for each id, made when it is first asked for. */
export interface GateMap {
  of(id: string): Gate;
  /** Forgets gates that nobody has asked for since the last sweep. */
  sweep(): void;
}

/** As of a gate; the bound may be asked for by the gate's id. */
export type GateMapOptions = Omit<GateOptions, 'runningMax'> & { readonly runningMax: number | ((id: string) => number) };

export function createGateMap({ runningMax, ...options }: GateMapOptions): GateMap {
  const make = (id: string): Gate => createGate({ ...options, runningMax: typeof runningMax === 'number' ? runningMax : () => runningMax(id) });
  /** Asked for since the last sweep, and since the one before it: work in a gate is far shorter than a sweep. */
  let young = new Map<string, Gate>();
  let old = new Map<string, Gate>();
  return {
    of(id) {
      const gate = young.get(id) ?? old.get(id) ?? make(id);
      young.set(id, gate);
      return gate;
    },
    sweep() {
      old = young;
      young = new Map();
    },
  };
}
