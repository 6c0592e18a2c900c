import { nearestNames } from '@rowhouse/errors';
import type { FaultList } from '../request/fault-list.js';
import { isJsonArray, isJsonObject } from '../request/json-value.js';
import type { JsonValue } from '../request/json-value.js';
import { splitSegments } from '../request/path-segments.js';

/** The earlier operations of a batch, before the one being planned. */
export interface ReferenceSource {
  /** The number of earlier operations. */
  readonly operations: number;
  /**
   * Returns the body of an operation's response, or null for a response without a body. Returns undefined if
   * the operation has not run yet.
   */
  bodyOf(operation: number): JsonValue | null | undefined;
  /** Records that the planned operation refers to this operation. */
  note(operation: number): void;
}

/**
 * Represents a value that is known only after an earlier operation has run. A plan with such a value is
 * created again before it runs.
 */
export const LATER: Uint8Array = new Uint8Array(0);

export type FoundReference =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'later' };

/**
 * Returns the value of a reference such as `{"$ref": "0.id"}`. The path is the index of an earlier operation,
 * followed by member names and array indexes, as in `1.0.name`. Returns null after adding a fault.
 */
export function findReference(
  operand: JsonValue,
  source: ReferenceSource | undefined,
  loc: readonly (string | number)[],
  faults: FaultList,
): FoundReference | null {
  if (source === undefined) {
    faults.add(
      loc,
      '$ref only works in a batch, where it refers to an earlier operation.',
      'reference',
      'Send both writes to /_batch.',
    );
    return null;
  }
  const path = typeof operand === 'string' ? readPath(operand) : null;
  if (path === null) {
    faults.add(
      loc,
      '$ref must be the number of an earlier operation and a path into its result, for example "0.id".',
      'reference',
    );
    return null;
  }
  const [first = '', ...rest] = path;
  if (!/^(?:0|[1-9]\d*)$/.test(first) || Number(first) >= source.operations) {
    faults.add(
      loc,
      source.operations === 0
        ? 'The first operation cannot refer to an earlier one.'
        : `$ref must name an earlier operation, from 0 to ${source.operations - 1}.`,
      'reference',
    );
    return null;
  }
  source.note(Number(first));
  const body = source.bodyOf(Number(first));
  return body === undefined ? { kind: 'later' } : follow(body, first, rest, loc, faults);
}

function readPath(text: string): string[] | null {
  const read = splitSegments(text);
  return read === null || read.end !== text.length ? null : read.segments.map((segment) => segment.name);
}

function follow(
  body: JsonValue | null,
  operation: string,
  path: readonly string[],
  loc: readonly (string | number)[],
  faults: FaultList,
): FoundReference | null {
  let value: JsonValue | undefined = body;
  let within: JsonValue = null;
  for (const name of path) {
    within = value;
    if (value !== null && isJsonObject(value)) value = value.get(name);
    else
      value =
        value !== null && isJsonArray(value) && /^\d{1,5}$/.test(name) ? value[Number(name)] : undefined;
    if (value === undefined) break;
  }
  if (value !== undefined && (body !== null || path.length > 0)) return { kind: 'value', value };
  // Similar names are searched for only if there is a fault, because a body may refer to a record a hundred
  // thousand times.
  const similarNames =
    faults.wantsHint() && within !== null && isJsonObject(within)
      ? nearestNames(path.at(-1) ?? '', [...within.keys()])
      : [];
  faults.add(
    loc,
    `The response of operation ${operation} has no ${path.length === 0 ? 'body' : path.join('.')}.`,
    'reference',
    similarNames.length === 0
      ? 'With return=minimal, responses only contain keys.'
      : `Did you mean ${similarNames.join(' or ')}?`,
  );
  return null;
}
