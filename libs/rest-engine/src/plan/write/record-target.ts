import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { KeyText, TagList, UpdateRequest } from '../../request/api-request.js';
import type { KeyPart, PlanOptions, RecordCondition, RecordConditions } from '../plan-parts.js';
import { isUuid } from '../../values/check-format.js';
import { coerceText } from '../../values/coerce-text.js';
import { versionColumns } from '../version-columns.js';

/**
 * Throws 428 for a change without `If-Match` if the table requires this header. `hint` names an alternative
 * for requests that cannot have the header.
 */
export function requireIfMatch(
  table: CompiledTable,
  ifMatch: TagList | null,
  options: PlanOptions,
  hint = 'Read the record and send its ETag with the write. If-Match: * accepts any version.',
): void {
  if (ifMatch !== null || options.requireIfMatch?.includes(table.name) !== true) return;
  throw new AppError('record.precondition_required', {
    detail: `Records of ${table.name} can only be changed and deleted with If-Match.`,
    hint,
  });
}

/**
 * Returns the `If-Match` and `If-None-Match` conditions of a write to one record. Returns null without such
 * conditions.
 */
export function planConditions(
  table: CompiledTable,
  request: Pick<UpdateRequest, 'ifMatch' | 'ifNoneMatch'>,
  options: PlanOptions,
): RecordConditions | null {
  if (request.ifMatch === null && request.ifNoneMatch === null) return null;
  return {
    ifMatch: planTags(table, request.ifMatch, options),
    ifNoneMatch: planTags(table, request.ifNoneMatch, options),
  };
}

/**
 * Returns each tag with the columns from which it was computed. A tag matches nothing if one of these columns
 * no longer exists.
 */
function planTags(table: CompiledTable, list: TagList | null, options: PlanOptions): RecordCondition | null {
  if (list === null || list.kind === 'any') return list;
  const versions = list.tags.flatMap((tag) => {
    const columns =
      tag.snapshot === table.schema.number
        ? versionColumns(table)
        : findColumns(table, options.storedColumnsAt(tag.snapshot));
    return columns === null ? [] : [{ columns, digest: tag.digest }];
  });
  return { kind: 'versions', versions };
}

function findColumns(
  table: CompiledTable,
  names: readonly string[] | null,
): readonly CompiledColumn[] | null {
  if (names === null) return null;
  const current = versionColumns(table);
  const found = names
    .map((name) => current.find((column) => column.name === name))
    .filter((column) => column !== undefined);
  return found.length === names.length ? found : null;
}

/**
 * Returns the conditions that find the record with the key `{id}`. Throws 422 for a malformed key, and 404
 * for a well-formed key that no record can have.
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
