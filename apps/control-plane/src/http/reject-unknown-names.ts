import { FAULTS_MAX, nearestNames, validationError, type FieldFault } from '@rowhouse/errors';

/** An unknown name in a request as a fault, with the valid names for its position. */
export interface UnknownName extends FieldFault {
  readonly name: string;
  readonly known: readonly string[];
}

/**
 * The maximum number of faults for which similar names are computed. Each of them is compared with all known
 * names.
 */
const SOUGHT_MAX = 10;

/** Returns the entries of `names` that are not in `known`. `index` is the index in `names`. */
export function findUnknownNames(
  names: readonly string[],
  known: readonly string[],
  toFault: (name: string, index: number) => FieldFault,
): UnknownName[] {
  const all = new Set(known);
  return names.flatMap((name, index) => (all.has(name) ? [] : [{ ...toFault(name, index), name, known }]));
}

/**
 * Throws 422 `body.invalid` with at most a hundred faults, if there are any. The hint lists names similar to
 * the first ten.
 */
export function rejectUnknownNames(unknown: readonly UnknownName[]): void {
  if (unknown.length === 0) return;
  const near = new Set(unknown.slice(0, SOUGHT_MAX).flatMap(({ name, known }) => nearestNames(name, known)));
  const faults = unknown.slice(0, FAULTS_MAX).map(({ loc, msg, type }) => ({ loc, msg, type }));
  throw validationError(
    'body.invalid',
    faults,
    near.size > 0 ? `Did you mean ${[...near].join(', ')}?` : undefined,
  );
}
