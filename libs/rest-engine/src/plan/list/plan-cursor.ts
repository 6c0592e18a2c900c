import { faultAt, validationError } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { QueryParameters } from '../../request/api-request.js';
import type { FaultList } from '../../request/fault-list.js';
import { isSortedExactly } from './order/order-key.js';
import type { CursorPlan, PlanOptions, SortKey } from '../plan-parts.js';
import { readExactNumber } from '../../values/exact-number.js';
import { decodeBase64, encodeBase64 } from '../../values/base64.js';
import { type BoundValue, type Cell, bindCell } from '../../values/cell.js';
import { toJsonKey } from '../../values/json-key.js';

const UNFIT = new Set(['float', 'json', 'geometry', 'vector']);
const TEXT_MAX = 8192;

/**
 * Plans the parameter `_cursor`, which is empty for the first page or contains a cursor from an earlier
 * response. Returns null if the parameter is absent or invalid. An invalid parameter also adds a fault.
 */
export function planCursor(
  table: CompiledTable,
  parameters: QueryParameters,
  sort: readonly SortKey[],
  options: Pick<PlanOptions, 'sealText'>,
  faults: FaultList,
): CursorPlan | null {
  if (parameters.cursor === null) return null;
  const loc = ['query', '_cursor'];
  if (table.kind === 'view' || table.rowKey === null)
    faults.add(
      loc,
      `${table.name} has no key, so it cannot be read with a cursor. Use page or _offset.`,
      'conflict',
    );
  const unfit = findUnfit(table, sort);
  if (unfit !== null)
    faults.add(
      loc,
      `A cursor cannot be used with a sort by ${unfit.name}, because its type is ${unfit.sqlType}.`,
      'conflict',
      'Use page or _offset, sort by another column, or read a stream with Accept: application/x-ndjson.',
    );
  const plan = readCursorPlan(table, parameters, sort, parameters.cursor, options);
  if (plan === null)
    faults.add(
      loc,
      'This cursor belongs to another list. A cursor is valid for one database, table, sort and set of filters.',
      'cursor',
      'Start again with an empty _cursor.',
    );
  return plan;
}

/** The parameters that determine which records a list contains, and in which order. */
export type ListedBy = Pick<
  QueryParameters,
  'createdAfter' | 'embeds' | 'filter' | 'order' | 'q' | 'sort' | 'where'
> & { readonly filters: readonly Pick<QueryParameters['filters'][number], 'key' | 'value'>[] };

/**
 * Decodes a cursor for a list that supports cursors. Returns null if the cursor was created for another list.
 */
export function readCursorPlan(
  table: CompiledTable,
  listed: ListedBy,
  sort: readonly SortKey[],
  cursor: string,
  { sealText }: Pick<PlanOptions, 'sealText'>,
): CursorPlan | null {
  const described = `[${JSON.stringify(table.name)},${JSON.stringify(describeList(listed, sort))},`;
  const seal = (payload: string): string => sealText(`${described}${JSON.stringify(payload)}]`);
  const make: CursorPlan['make'] = (cells, direction) => {
    const payload = pack(
      JSON.stringify([direction, ...cells.map((cell, index) => toPacked(cell, sort[index]))]),
    );
    const text = `${payload}.${seal(payload)}`;
    if (text.length > TEXT_MAX) throw tooLong();
    return text;
  };
  if (cursor === '') return { direction: 'next', after: null, make };
  const read = readCursor(cursor, seal);
  return read !== null && read.values.length === sort.length
    ? { direction: read.direction, after: read.values, make }
    : null;
}

/** Returns the column that prevents a list from using cursors, or null. */
export function findUnfit(table: CompiledTable, sort: readonly SortKey[]): CompiledColumn | null {
  const unfit = sort.find((key) => key.jsonPath === undefined && !isCursorFit(key.column))?.column;
  const key = table.rowKey ?? [];
  // For other sort keys, no index provides the order. ORDER BY then compares only the first bytes of long
  // keys, so such a key is not unique.
  const isKeyAlone = sort.every(({ path, column }) => path.length === 0 && key.includes(column));
  return unfit ?? (isKeyAlone ? null : (key.find((column) => !isSortedExactly(column)) ?? null));
}

/**
 * Reports whether the column can be part of a cursor: a value read from it must find the same position in the
 * list again.
 */
function isCursorFit(column: CompiledColumn): boolean {
  return !UNFIT.has(column.valueKind) && !(column.valueKind === 'binary' && column.type.endsWith('blob'));
}

/**
 * Returns the error for a cursor that exceeds the maximum length of headers and URLs. A truncated cursor
 * would lead to a wrong page.
 */
function tooLong(): Error {
  const fault = faultAt(
    ['query', '_cursor'],
    'The values that this list is sorted by are too long for a cursor.',
    'too_long',
  );
  return validationError(
    'params.invalid',
    [fault],
    'Sort by a shorter column, use page, or read a stream with Accept: application/x-ndjson.',
  );
}

function describeList(parameters: ListedBy, keys: readonly SortKey[]): readonly unknown[] {
  const { createdAfter, filter, filters, order, q, sort, where } = parameters;
  const listed = [sort, order, createdAfter, filter, where, q, filters.map(({ key, value }) => [key, value])];
  return keys.some((key) => key.count !== null) ? [...listed, ...describeCounts(parameters, keys)] : listed;
}

/**
 * Describes the counts that the list is sorted by, to check whether a cursor belongs to the list. The options
 * of all includes are part of it, because they can filter these counts.
 */
function describeCounts({ embeds }: ListedBy, keys: readonly SortKey[]): readonly unknown[] {
  return [
    keys.map(({ count }) => count?.relationship.name ?? null),
    embeds.map(({ key, value }) => [key, value]),
  ];
}

/**
 * Returns the value with which a cursor's condition compares the column. ENUM and SET values are compared by
 * their index, because the server sorts them by it.
 */
export function toKeyValue(cell: Cell, column: CompiledColumn): BoundValue {
  if (cell === null) return null;
  if (column.valueKind === 'enum') return String((column.labels ?? []).indexOf(String(cell)) + 1);
  if (column.valueKind === 'set') return setIndex(column.labels ?? [], String(cell));
  return column.valueKind === 'double' ? Number(cell) : bindCell(cell, column);
}

type Packed = string | number | null | readonly [string];

function toPacked(cell: Cell, key: SortKey | undefined): Packed {
  if (key === undefined) return null;
  if (key.jsonPath !== undefined) return packJsonKey(cell);
  const value = toKeyValue(cell, key.column);
  return value instanceof Uint8Array ? [encodeBase64(value)] : value;
}

/**
 * Encodes a sort key inside a JSON column for a cursor. Throws 422 for a number that SQL conditions cannot
 * compare.
 */
function packJsonKey(cell: Cell): string | null {
  const key = cell === null ? null : toJsonKey(String(cell));
  if (key?.startsWith('n') === true && readExactNumber(key.slice(1)) === null) {
    throw validationError(
      'params.invalid',
      [
        faultAt(
          ['query', '_cursor'],
          'A number that this list is sorted by is outside the range of doubles.',
          'out_of_range',
        ),
      ],
      'Use page or _offset.',
    );
  }
  return key;
}

function setIndex(labels: readonly string[], text: string): string {
  const chosen = text === '' ? [] : text.split(',');
  return chosen
    .reduce((sum, label) => sum | (1n << BigInt(Math.max(0, labels.indexOf(label)))), 0n)
    .toString();
}

function readCursor(
  text: string,
  seal: (payload: string) => string,
): { direction: 'next' | 'prev'; values: readonly BoundValue[] } | null {
  const [payload = '', mac = '', ...rest] = text.length > TEXT_MAX ? [] : text.split('.');
  if (rest.length > 0 || payload === '' || !isSame(mac, seal(payload))) return null;
  // The signature proves that this deployment created the cursor, so its content is not validated.
  const [direction, ...packed] = JSON.parse(unpack(payload)) as ['next' | 'prev', ...Packed[]];
  return {
    direction,
    values: packed.map((value) =>
      Array.isArray(value) ? decodeBase64(String(value[0])) : (value as BoundValue),
    ),
  };
}

/** Compares in constant time, so that timing does not reveal where the texts differ. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index % Math.max(1, b.length));
  return difference === 0;
}

const BEYOND_ASCII = /[\u007f-\uffff]/;

/** Encodes a text as base64url, with characters beyond ASCII escaped. */
function pack(text: string): string {
  const ascii = BEYOND_ASCII.test(text)
    ? text.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text;
  const bytes = new Uint8Array(ascii.length);
  for (let index = 0; index < ascii.length; index += 1) bytes[index] = ascii.charCodeAt(index);
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function unpack(text: string): string {
  const bytes = decodeBase64(
    text
      .replaceAll('-', '+')
      .replaceAll('_', '/')
      .padEnd(Math.ceil(text.length / 4) * 4, '='),
  );
  // The number of bytes is limited, so spreading them as arguments is safe.
  return String.fromCharCode(...(bytes ?? []));
}
