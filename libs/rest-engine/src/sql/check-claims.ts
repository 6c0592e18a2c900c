import { faultAt, validationError } from '@rowhouse/errors';
import type { CompiledColumn } from '@rowhouse/schema-model';
import { isSameJson, type Claim } from '../plan/claims.js';
import { parseJson } from '../request/parse-json.js';
import type { Cell } from '../response/result-set.js';
import { makeValueWriter } from '../response/value-writer.js';

/** Returns the distinct columns whose stored values are compared with claims. */
export function claimedColumns(claims: Iterable<Claim>): readonly CompiledColumn[] {
  return [...new Set([...claims].map(({ column }) => column))];
}

/** Returns the claims that do not match the stored values. */
export function findBroken(
  claims: readonly Claim[],
  cellOf: (column: CompiledColumn) => Cell,
): readonly Claim[] {
  return claims.filter(({ column, value }) => {
    const cell = cellOf(column);
    if (cell === null) return value !== null;
    const stored = makeValueWriter(
      { name: column.name, kind: column.valueKind, isOutput: true, column },
      'json',
    )(cell);
    return !isSameJson(parseJson(stored), value);
  });
}

/** Throws 422 if the list contains claims. */
export function rejectBroken(claims: readonly Claim[]): void {
  if (claims.length === 0) return;
  const hints = claims.flatMap(({ fault }) => fault.hint ?? []);
  const faults = claims.map(({ fault }) => faultAt([...fault.loc], fault.msg, fault.type));
  throw hints[0] === undefined
    ? validationError('body.invalid', faults)
    : validationError('body.invalid', faults, hints[0]);
}
