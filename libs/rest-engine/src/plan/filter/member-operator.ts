import type { CompiledColumn } from '@rowhouse/schema-model';
import { isJsonObject } from '../../request/json-value.js';
import type { JsonValue } from '../../request/json-value.js';

/** The meaning of a member of a body: a value to store, or an operator that computes the value. */
export type MemberOperator =
  | { readonly kind: 'data'; readonly value: JsonValue }
  | { readonly kind: '$inc' | '$ref'; readonly operand: JsonValue };

const NAMES = ['$inc', '$ref'] as const;

/**
 * Recognizes `{"$inc": 1}` and `{"$ref": "0.id"}` as operators. For a JSON column, these objects are data,
 * and an operator must be wrapped as in `{"$value": {"$ref": …}}`. To store an object that looks like a
 * wrapped operator, clients wrap it once more: one `$value` around it is removed.
 */
export function readOperator(column: CompiledColumn, value: JsonValue): MemberOperator {
  if (!isJsonObject(value) || value.size !== 1) return { kind: 'data', value };
  const wrapped = value.get('$value');
  if (wrapped === undefined)
    return column.valueKind === 'json'
      ? { kind: 'data', value }
      : (findOperator(value) ?? { kind: 'data', value });
  return (
    findOperator(wrapped) ?? {
      kind: 'data',
      value: column.valueKind === 'json' && isWrappedOperator(wrapped) ? wrapped : value,
    }
  );
}

function findOperator(value: JsonValue): MemberOperator | null {
  if (!isJsonObject(value) || value.size !== 1) return null;
  for (const kind of NAMES) {
    const operand = value.get(kind);
    if (operand !== undefined) return { kind, operand };
  }
  return null;
}

/** Reports whether a value is an operator wrapped in any number of `$value` objects. */
function isWrappedOperator(value: JsonValue): boolean {
  let inner: JsonValue | undefined = value;
  while (inner !== undefined && isJsonObject(inner) && inner.size === 1 && inner.has('$value')) {
    inner = inner.get('$value');
    if (inner !== undefined && findOperator(inner) !== null) return true;
  }
  return false;
}
