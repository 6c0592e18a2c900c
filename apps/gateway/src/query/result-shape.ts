import type { ResultColumn } from '@rowhouse/mysql';
import type { ResultShape, ShapeColumn } from '@rowhouse/rest-engine';
import { DOUBLE_BITS, type CompiledSnapshot, type ValueKind } from '@rowhouse/schema-model';

/** A column of a query result, as described in the verbose response. */
export interface QueryColumn {
  readonly name: string;
  readonly type: ValueKind;
  readonly nullable: boolean;
  readonly table?: string;
  readonly column?: string;
}

const NOT_NULL_FLAG = 1;
const ENUM_FLAG = 256;
const SET_FLAG = 2048;
const BINARY_CHARSET = 63;
/** The protocol's type number of BIGINT. */
const WIDE_INTEGER = 8;
/**
 * The maximum number of fractional digits. A larger number from the server means that the number is unknown.
 */
const FRACTION_MAX = 6;

/** The kinds of results that are not columns of the schema, by the protocol's type number. */
const KIND_BY_TYPE: ReadonlyMap<number, ValueKind> = new Map([
  [0, 'decimal'],
  [1, 'integer'],
  [2, 'integer'],
  [3, 'integer'],
  [4, 'float'],
  [5, 'double'],
  [7, 'timestamp'],
  [8, 'integer'],
  [9, 'integer'],
  [10, 'date'],
  [11, 'time'],
  [12, 'datetime'],
  [13, 'year'],
  [16, 'bit'],
  [245, 'json'],
  [246, 'decimal'],
  [255, 'geometry'],
]);

/**
 * Describes the columns of a result. Values are formatted as in the table endpoints, and expressions by their
 * wire type. A repeated name gets the suffix `_2`.
 */
export function toResultShape(
  columns: readonly ResultColumn[],
  compiled: CompiledSnapshot,
): { shape: ResultShape; described: readonly QueryColumn[] } {
  const names = makeUnique(columns.map((column) => column.name));
  const shapeColumns: ShapeColumn[] = [];
  const described: QueryColumn[] = [];
  columns.forEach((column, position) => {
    const name = names[position] ?? column.name;
    const kind = findKind(column, compiled);
    const isWide = column.typeCode === WIDE_INTEGER || (kind === 'bit' && column.length > DOUBLE_BITS);
    const visible = compiled.findByName(column.orgTable)?.findColumn(column.orgName) ?? null;
    shapeColumns.push({
      name,
      kind,
      isOutput: true,
      column: null,
      fraction: column.decimals <= FRACTION_MAX ? column.decimals : 0,
      isWide,
    });
    const nullable = (column.flags & NOT_NULL_FLAG) === 0;
    described.push(
      visible === null
        ? { name, type: kind, nullable }
        : { name, type: kind, nullable, table: column.orgTable, column: column.orgName },
    );
  });
  return { shape: { columns: shapeColumns, keys: [] }, described };
}

function findKind(column: ResultColumn, compiled: CompiledSnapshot): ValueKind {
  const source = compiled.snapshot.tables.find((table) => table.name === column.orgTable);
  return (
    source?.columns.find((candidate) => candidate.name === column.orgName)?.valueKind ?? kindOfWire(column)
  );
}

function kindOfWire(column: ResultColumn): ValueKind {
  if (column.isJson) return 'json';
  if (column.extendedType === 'uuid') return 'uuid';
  if (column.extendedType.startsWith('inet')) return 'inet';
  if ((column.flags & ENUM_FLAG) !== 0) return 'enum';
  if ((column.flags & SET_FLAG) !== 0) return 'set';
  return KIND_BY_TYPE.get(column.typeCode) ?? (column.charset === BINARY_CHARSET ? 'binary' : 'string');
}

/** Makes names unique: `id, id, id` becomes `id, id_2, id_3`. Names already in use are skipped. */
export function makeUnique(names: readonly string[]): string[] {
  const taken = new Set(names);
  /**
   * The next suffix of each name. Without it, thousands of equal names would each try all suffixes from the
   * start.
   */
  const next = new Map<string, number>();
  return names.map((name) => {
    let ordinal = next.get(name);
    next.set(name, 2);
    if (ordinal === undefined) return name;
    while (taken.has(`${name}_${ordinal}`)) ordinal += 1;
    next.set(name, ordinal + 1);
    const unique = `${name}_${ordinal}`;
    taken.add(unique);
    return unique;
  });
}
