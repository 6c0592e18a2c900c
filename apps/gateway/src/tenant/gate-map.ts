import { createGate, type Gate, type GateOptions } from './gate.js';

/** A gate for each id, made when it is first asked for. */
export interface GateMap {
  of(id: string): Gate;
  /** Forgets gates that nobody has asked for since the last sweep. */
  sweep(): void;
}

/** `runningMaxNow`: of which gate the bound is asked. */
export function createGateMap({ runningMaxNow, ...options }: Omit<GateOptions, 'runningMaxNow'> & { readonly runningMaxNow?: (id: string) => number }): GateMap {
  const make = (id: string): Gate => createGate(runningMaxNow === undefined ? options : { ...options, runningMaxNow: () => runningMaxNow(id) });
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
