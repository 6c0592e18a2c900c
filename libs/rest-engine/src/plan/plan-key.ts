import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { KeyText } from '../request/api-request.js';
import type { KeyPart } from './plan.js';
import { isUuid } from './values/check-format.js';
import { coerceText } from './values/coerce-text.js';

/**
 * Returns the conditions for `{id}`. Throws 422 for a malformed key, and 404 for a well-formed key that
 * cannot exist.
 */
export function planKey(table: CompiledTable, key: KeyText): readonly KeyPart[] {
  const rowKey = table.rowKey ?? [];
  const only = key.length === 1 ? (key[0] ?? '') : '';
  if (table.uuidKey !== null && rowKey.length === 1 && isUuid(only))
    return [{ column: table.uuidKey, value: only.toLowerCase() }];
  return rowKey.map((column, index) => ({ column, value: planKeyPart(column, key[index] ?? '') }));
}

function planKeyPart(column: CompiledColumn, text: string): KeyPart['value'] {
  const value = coerceText(column, text, 'key');
  if (value.kind === 'value') return value.value;
  if (value.type === 'out_of_range' || value.type === 'enum') throw new AppError('record.not_found');
  throw validationError(
    'key.invalid',
    [faultAt(['path', 'id'], `${column.name}: ${value.msg}`, value.type)],
    value.hint,
  );
}
