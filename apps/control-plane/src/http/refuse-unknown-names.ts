import { FAULTS_MAX, nearestNames, validationError, type FieldFault } from '@rowhouse/errors';

/** A name of a request that does not exist, told as a fault, and those that do exist in its place. */
export interface UnknownName extends FieldFault {
  readonly name: string;
  readonly known: readonly string[];
}

/** For how many the nearest names are looked for: more help nobody, and each costs time for every name that is known. */
const SOUGHT_MAX = 10;

/** Those of `names` that are not among `known`; `at` is the place in `names`. */
export function findUnknownNames(names: readonly string[], known: readonly string[], toFault: (name: string, at: number) => FieldFault): UnknownName[] {
  const all = new Set(known);
  return names.flatMap((name, at) => (all.has(name) ? [] : [{ ...toFault(name, at), name, known }]));
}

/** Throws 422 `body.invalid` with a hundred of them at most, where there are any; the names nearest to the first ten are the hint. */
export function refuseUnknownNames(unknown: readonly UnknownName[]): void {
  if (unknown.length === 0) return;
  const near = new Set(unknown.slice(0, SOUGHT_MAX).flatMap(({ name, known }) => nearestNames(name, known)));
  const faults = unknown.slice(0, FAULTS_MAX).map(({ loc, msg, type }) => ({ loc, msg, type }));
  throw validationError('body.invalid', faults, near.size > 0 ? `Did you mean ${[...near].join(', ')}?` : undefined);
}
