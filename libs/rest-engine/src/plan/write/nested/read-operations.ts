import type { FaultLocation } from '@rowhouse/errors';
import { nameJsonKind, isJsonArray, isJsonObject } from '../../../request/json-value.js';
import type { JsonValue } from '../../../request/json-value.js';
import type { FaultList } from '../../../request/fault-list.js';
import type { RelatedMember } from './plan-nested-record.js';

const NAMES = ['create', 'connect', 'update', 'disconnect', 'delete'] as const;
export type OperationName = (typeof NAMES)[number];

/** One operation on one related record, as part of a nested update. */
export interface RelatedOperation {
  readonly name: OperationName;
  readonly value: JsonValue;
  readonly loc: FaultLocation;
}

const HINT = 'Use {"create": …, "connect": …, "update": …, "disconnect": …, "delete": …}.';

/** Parses the operations on the records of a relationship. Returns them in the order in which they run. */
export function readOperations(
  { relationship, value, loc }: RelatedMember,
  faults: FaultList,
): readonly RelatedOperation[] {
  if (
    !isJsonObject(value) ||
    value.size === 0 ||
    [...value.keys()].some((name) => !NAMES.includes(name as OperationName))
  ) {
    faults.add(
      loc,
      `The member must name an operation on records of ${relationship.name}.`,
      'related_operations',
      HINT,
    );
    return [];
  }
  if (relationship.kind === 'to_one' && value.size > 1) {
    faults.add(loc, 'A to-one relationship accepts one operation.', 'related_operations');
    return [];
  }
  // Removals run first, so that they cannot conflict with additions.
  const order: readonly OperationName[] = ['disconnect', 'delete', 'update', 'connect', 'create'];
  return order
    .filter((name) => value.has(name))
    .flatMap((name) => {
      const provided = value.get(name) ?? null;
      const here = [...loc, name];
      return isJsonArray(provided) && relationship.kind !== 'to_one'
        ? provided.map((item, index) => ({ name, value: item, loc: [...here, index] }))
        : [{ name, value: provided, loc: here }];
    });
}

/**
 * Reports whether the value is `true`, which represents a record in operations that need no key. Adds a fault
 * for any other value.
 */
export function isTrue({ value, loc }: RelatedOperation, faults: FaultList): boolean {
  if (value === true) return true;
  faults.add(loc, `A to-one relationship needs true, not ${nameJsonKind(value)}.`, 'bool_type');
  return false;
}
