import { compileRelationships } from './compile-relationships.js';
import type { CompiledColumn, CompiledRelationship, CompiledSnapshot, CompiledTable } from './compiled-snapshot.js';
import { effectiveVerbs } from './effective-verbs.js';
import { findByNumber } from './find-by-number.js';
import { findSrid } from './find-srid.js';
import type { Column, EngineKind, Table } from './types.js';

/** One table as the rights of `schema` see it. Relationships are compiled when they are first asked for: they may form rings. */
export function compileTable(table: Table, schema: CompiledSnapshot): CompiledTable {
  const hidden = new Set(Object.hasOwn(schema.rights.hiddenColumns, table.name) ? schema.rights.hiddenColumns[table.name] : []);
  const columns = Object.freeze(table.columns.map((column, position) => compileColumn(column, position, hidden.has(column.name), schema.engine)));
  const writable = new Map(columns.map((column) => [column.name, column]));
  const visible = new Map(columns.filter((column) => !column.hidden).map((column) => [column.name, column]));
  let relationships: readonly CompiledRelationship[] | null = null;
  let byName: ReadonlyMap<string, CompiledRelationship> = new Map();
  const readRelationships = (): readonly CompiledRelationship[] => {
    if (relationships === null) {
      relationships = Object.freeze(compileRelationships(compiled));
      byName = new Map(relationships.map((relationship) => [relationship.name, relationship]));
    }
    return relationships;
  };
  const compiled: CompiledTable = Object.freeze({
    schema,
    name: table.name,
    quoted: quoteName(table.name),
    kind: table.kind,
    path: table.path,
    verbs: effectiveVerbs(schema.rights, table.name) ?? [],
    columns,
    shown: Object.freeze(columns.filter((column) => !column.hidden && !column.invisible)),
    rowKey: findKeyColumns(table.rowKey, visible),
    uuidKey: findUuidKey(table, visible),
    indexes: table.indexes,
    foreignKeys: table.foreignKeys,
    get relationships() {
      return readRelationships();
    },
    findColumn: (name: string) => visible.get(name) ?? null,
    findWritable: (name: string) => writable.get(name) ?? null,
    findRelationship: (name: string) => {
      const all = readRelationships();
      return byName.get(name) ?? findByNumber(name, all);
    },
    source: table,
  });
  return compiled;
}

function compileColumn(column: Column, position: number, hidden: boolean, engine: EngineKind): CompiledColumn {
  const required = !column.nullable && column.default.kind === 'none' && !column.autoIncrement && column.generated === null;
  return Object.freeze({ ...column, position, quoted: quoteName(column.name), hidden, srid: findSrid(column, engine), required });
}

function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

function findKeyColumns(names: readonly string[] | null, visible: ReadonlyMap<string, CompiledColumn>): readonly CompiledColumn[] | null {
  if (names === null) return null;
  const found = names.map((name) => visible.get(name)).filter((column) => column !== undefined);
  return found.length === names.length ? Object.freeze(found) : null;
}

/** Beside a numeric primary key, a unique `uuid` column addresses a record too. */
function findUuidKey(table: Table, visible: ReadonlyMap<string, CompiledColumn>): CompiledColumn | null {
  const only = table.primaryKey?.length === 1 ? visible.get(table.primaryKey[0] ?? '') : undefined;
  if (only === undefined || (only.valueKind !== 'integer' && only.valueKind !== 'decimal')) return null;
  const uuid = visible.get('uuid');
  if (uuid === undefined || (uuid.valueKind !== 'uuid' && uuid.valueKind !== 'string')) return null;
  const isUnique = table.indexes.some(
    (index) => index.unique && index.columns.length === 1 && index.columns[0]?.name === 'uuid' && index.columns[0].prefixLength === null,
  );
  return isUnique ? uuid : null;
}
