import { AppError } from '@rowhouse/errors';
import {
  describeSchemaSteps,
  runStepsInSlices,
  type ColumnDescription,
  type CompiledSnapshot,
  type TableDescription,
} from '@rowhouse/schema-model';
import { LIMITS } from '../limits/limits.js';

/** The maximum size of the description of a whole schema. More would fill the context of a model. */
const OVERVIEW_BYTES_MAX = 32 * 1024;

export interface TablesDescription {
  readonly detail: 'full' | 'columns' | 'names';
  readonly tables: readonly unknown[];
}

/**
 * Describes the named tables, or all of them. When the description of all is too long, it is reduced to
 * column names or to table names. Anything hidden by the rights of `compiled` is missing. `nextSlice` is awaited
 * between slices.
 *
 * @throws AppError `limit.tool_answer` when the description of the named tables is too long
 */
export async function describeTables(
  compiled: CompiledSnapshot,
  names: readonly string[] | null,
  nextSlice: () => Promise<void>,
): Promise<TablesDescription> {
  const all = await describe(compiled, nextSlice);
  if (names !== null) {
    const tables = names
      .map((name) => all.find((table) => table.name === name))
      .filter((table) => table !== undefined);
    if (!isWithin(tables, LIMITS.toolAnswerBytesMax)) throw new AppError('limit.tool_answer');
    return { detail: 'full', tables };
  }
  if (isWithin(all, OVERVIEW_BYTES_MAX)) return { detail: 'full', tables: all };
  const byColumns = all.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }));
  if (isWithin(byColumns, OVERVIEW_BYTES_MAX)) return { detail: 'columns', tables: byColumns };
  return { detail: 'names', tables: all.map((table) => table.name) };
}

interface DescribedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
}

/** Caches the description of each view of a schema, which may have hundreds of tables. */
const described = new WeakMap<CompiledSnapshot, Promise<readonly DescribedTable[]>>();

function describe(
  compiled: CompiledSnapshot,
  nextSlice: () => Promise<void>,
): Promise<readonly DescribedTable[]> {
  let result = described.get(compiled);
  if (result === undefined) {
    result = runStepsInSlices(describeSchemaSteps(compiled, { project: '', database: '' }), nextSlice).then(
      ({ tables }) => tables.map((table) => reportTable(table, compiled)),
    );
    described.set(compiled, result);
    result.catch(() => described.delete(compiled));
  }
  return result;
}

/** Describes a table without empty members, because every member costs a model tokens. */
function reportTable(table: TableDescription, compiled: CompiledSnapshot): DescribedTable {
  const unique = table.indexes
    .filter((index) => index.unique && index.name !== 'PRIMARY' && index.columns.length > 1)
    .map((index) => index.columns);
  const verbs = compiled.findByName(table.name)?.verbs ?? [];
  return {
    name: table.name,
    ...(table.kind === 'view' ? { kind: 'view' } : {}),
    allowed: table.kind === 'view' ? verbs.filter((verb) => verb === 'read') : verbs,
    key: table.primary_key,
    columns: table.columns.map(reportColumn),
    ...(unique.length > 0 ? { unique } : {}),
    ...(table.relationships.length > 0
      ? {
          relationships: table.relationships.map(({ name, kind, table: target }) => ({
            name,
            kind,
            table: target,
          })),
        }
      : {}),
  } as DescribedTable;
}

function reportColumn({
  name,
  type,
  nullable,
  default: text,
  unique,
  auto_increment: isAuto,
  format,
  references,
}: ColumnDescription): { readonly name: string } {
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

/** Returns whether a list has at most this many bytes as JSON. Stops serializing beyond that. */
function isWithin(items: readonly unknown[], bytesMax: number): boolean {
  let bytes = '[]'.length;
  for (const [index, item] of items.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + (index === 0 ? 0 : 1);
    if (bytes > bytesMax) return false;
  }
  return true;
}
