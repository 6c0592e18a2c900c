import { AppError } from '@rowhouse/errors';
import { describeSchema, type ColumnDescription, type CompiledSnapshot, type TableDescription } from '@rowhouse/schema-model';
import { LIMITS } from '../../limits.js';

/** Of a whole schema as it is told unasked: more would fill what a model can hold in mind. */
const OVERVIEW_BYTES_MAX = 32 * 1024;

export interface TablesTold {
  readonly detail: 'full' | 'columns' | 'names';
  readonly tables: readonly unknown[];
}

/**
 * The tables named, or all of them: in full, or where that is too long by columns, or by names alone. What the rights of
 * `compiled` hide is not there.
 * @throws AppError `limit.tool_answer` where the tables that were named are too long
 */
export function describeTables(compiled: CompiledSnapshot, names: readonly string[] | null): TablesTold {
  const all = describe(compiled);
  if (names !== null) {
    const tables = names.map((name) => all.find((table) => table.name === name)).filter((table) => table !== undefined);
    if (countBytes(tables) > LIMITS.toolAnswerBytesMax) throw new AppError('limit.tool_answer');
    return { detail: 'full', tables };
  }
  if (countBytes(all) <= OVERVIEW_BYTES_MAX) return { detail: 'full', tables: all };
  const byColumns = all.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }));
  if (countBytes(byColumns) <= OVERVIEW_BYTES_MAX) return { detail: 'columns', tables: byColumns };
  return { detail: 'names', tables: all.map((table) => table.name) };
}

interface ToldTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
}

/** A schema of hundreds of tables is described once for each view of it. */
const described = new WeakMap<CompiledSnapshot, readonly ToldTable[]>();

function describe(compiled: CompiledSnapshot): readonly ToldTable[] {
  const known = described.get(compiled);
  if (known !== undefined) return known;
  const made = describeSchema(compiled, { project: '', database: '' }).tables.map((table) => tellTable(table, compiled));
  described.set(compiled, made);
  return made;
}

/** Only what holds: a model pays for every member. */
function tellTable(table: TableDescription, compiled: CompiledSnapshot): ToldTable {
  const unique = table.indexes.filter((index) => index.unique && index.name !== 'PRIMARY' && index.columns.length > 1).map((index) => index.columns);
  const verbs = compiled.findByName(table.name)?.verbs ?? [];
  return {
    name: table.name,
    ...(table.kind === 'view' ? { kind: 'view' } : {}),
    allowed: table.kind === 'view' ? verbs.filter((verb) => verb === 'read') : verbs,
    key: table.primary_key,
    columns: table.columns.map(tellColumn),
    ...(unique.length > 0 ? { unique } : {}),
    ...(table.relationships.length > 0 ? { relationships: table.relationships.map(({ name, kind, table: far }) => ({ name, kind, table: far })) } : {}),
  } as ToldTable;
}

function tellColumn({ name, type, nullable, default: text, unique, auto_increment: isAuto, format, references }: ColumnDescription): { readonly name: string } {
  return {
    name,
    type,
    ...(nullable ? { nullable } : {}),
    ...(text === null ? {} : { default: text }),
    ...(unique ? { unique } : {}),
    ...(isAuto ? { auto_increment: isAuto } : {}),
    ...(format === null ? {} : { format }),
    ...(references === null ? {} : { references: `${references.table}.${references.column}` }),
  } as { readonly name: string };
}

function countBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
