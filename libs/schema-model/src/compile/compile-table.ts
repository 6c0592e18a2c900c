import type {
  CompiledColumn,
  CompiledLink,
  CompiledRelationship,
  CompiledSnapshot,
  CompiledTable,
} from './compiled-snapshot.js';
import { effectiveVerbs } from './compiled-snapshot.js';
import { findAlike } from '../naming/to-singular.js';
import { findTriggerFilled } from './find-trigger-filled.js';
import { quoteName } from '../sql-text.js';
import type { Column, EngineKind, Relationship, RelationshipLink, Table } from '../types.js';

/**
 * Compiles one table for the rights of `schema`. Relationships are compiled when they are first used, because
 * they may form cycles.
 */
export function compileTable(table: Table, schema: CompiledSnapshot): CompiledTable {
  return new TableView(table, schema);
}

/**
 * A table as seen with one set of rights. A process has these objects for many databases, so they must be
 * small. As a class, it shares its methods between tables. If two of its maps are equal, only one is created.
 */
class TableView implements CompiledTable {
  readonly schema: CompiledSnapshot;
  readonly name: string;
  readonly quoted: string;
  readonly kind: Table['kind'];
  readonly path: string;
  readonly verbs: CompiledTable['verbs'];
  readonly columns: readonly CompiledColumn[];
  readonly shown: readonly CompiledColumn[];
  readonly rowKey: readonly CompiledColumn[] | null;
  readonly uuidKey: CompiledColumn | null;
  readonly indexes: Table['indexes'];
  readonly foreignKeys: Table['foreignKeys'];
  readonly source: Table;
  readonly #writable: ReadonlyMap<string, CompiledColumn>;
  readonly #visible: ReadonlyMap<string, CompiledColumn>;
  #relationships: readonly CompiledRelationship[] | null = null;
  #byName: ReadonlyMap<string, CompiledRelationship> = NO_RELATIONSHIPS;

  constructor(table: Table, schema: CompiledSnapshot) {
    const { columns, writable, visible } = compileColumns(table, schema);
    this.schema = schema;
    this.name = table.name;
    this.quoted = quoteName(table.name);
    this.kind = table.kind;
    this.path = table.path;
    this.verbs = effectiveVerbs(schema.rights, table.name) ?? [];
    this.columns = columns;
    this.shown = Object.freeze(columns.filter((column) => !column.hidden && !column.invisible));
    this.rowKey = findKeyColumns(table.rowKey, visible);
    this.uuidKey = findUuidKey(table, visible);
    this.indexes = table.indexes;
    this.foreignKeys = table.foreignKeys;
    this.source = table;
    this.#writable = writable;
    this.#visible = visible;
    Object.freeze(this);
  }

  get relationships(): readonly CompiledRelationship[] {
    if (this.#relationships === null) {
      this.#relationships = Object.freeze(compileRelationships(this));
      if (this.#relationships.length > 0)
        this.#byName = new Map(this.#relationships.map((relationship) => [relationship.name, relationship]));
    }
    return this.#relationships;
  }

  findColumn(name: string): CompiledColumn | null {
    return this.#visible.get(name) ?? null;
  }

  findWritable(name: string): CompiledColumn | null {
    return this.#writable.get(name) ?? null;
  }

  findRelationship(name: string): CompiledRelationship | null {
    const all = this.relationships;
    const exact = this.#byName.get(name);
    if (exact !== undefined) return exact;
    const [only, ...others] = findAlike(name, all);
    return others.length === 0 ? (only ?? null) : null;
  }
}

const NO_RELATIONSHIPS: ReadonlyMap<string, CompiledRelationship> = new Map();

const NO_NAMES: ReadonlySet<string> = new Set();

interface Columns {
  readonly columns: readonly CompiledColumn[];
  readonly writable: ReadonlyMap<string, CompiledColumn>;
  /** The visible columns by name. If no column is hidden, this is the same object as `writable`. */
  readonly visible: ReadonlyMap<string, CompiledColumn>;
}

function compileColumns(table: Table, { rights, engine }: CompiledSnapshot): Columns {
  const hidden = new Set(
    Object.hasOwn(rights.hiddenColumns, table.name) ? rights.hiddenColumns[table.name] : [],
  );
  const triggerFilled = table.triggers === undefined ? NO_NAMES : findTriggerFilled(table.triggers);
  const columns = Object.freeze(
    table.columns.map((column, position) =>
      compileColumn(
        column,
        position,
        { isHidden: hidden.has(column.name), isFilled: triggerFilled.has(column.name.toLowerCase()) },
        engine,
      ),
    ),
  );
  const writable = new Map(columns.map((column) => [column.name, column]));
  const visible = columns.some((column) => column.hidden)
    ? new Map(columns.filter((column) => !column.hidden).map((column) => [column.name, column]))
    : writable;
  return { columns, writable, visible };
}

/**
 * Compiles a column. The members are copied by name, so that V8 uses one hidden class for all columns. With a
 * spread, each column may get its own hidden class, which takes more memory than the column.
 */
function compileColumn(
  column: Column,
  position: number,
  { isHidden, isFilled }: { readonly isHidden: boolean; readonly isFilled: boolean },
  engine: EngineKind,
): CompiledColumn {
  const hasDefault = (column.nullable || column.default.kind !== 'none') && !isZeroDefault(column);
  const required = !hasDefault && !column.autoIncrement && column.generated === null && !isFilled;
  return Object.freeze({
    name: column.name,
    type: column.type,
    sqlType: column.sqlType,
    valueKind: column.valueKind,
    nullable: column.nullable,
    default: column.default,
    autoIncrement: column.autoIncrement,
    generated: column.generated,
    invisible: column.invisible,
    unsigned: column.unsigned,
    maxLength: column.maxLength,
    precision: column.precision,
    scale: column.scale,
    fraction: column.fraction,
    charset: column.charset,
    collation: column.collation,
    labels: column.labels,
    onUpdateNow: column.onUpdateNow,
    comment: column.comment,
    format: column.format,
    definition: column.definition,
    position,
    quoted: quoteName(column.name),
    hidden: isHidden,
    srid: findSrid(column, engine),
    triggerFilled: isFilled,
    required,
  });
}

/**
 * Reports whether the default is a date with a month or day of zero, such as 0000-00-00. The API's sessions
 * use strict mode, which rejects such a date, so a create must name the column.
 */
function isZeroDefault({ type, default: value }: Column): boolean {
  return (
    value.kind === 'literal' &&
    ['date', 'datetime', 'timestamp'].includes(type) &&
    /^\d{4}-(?:00-|\d\d-00)/.test(value.text)
  );
}

function findKeyColumns(
  names: readonly string[] | null,
  visible: ReadonlyMap<string, CompiledColumn>,
): readonly CompiledColumn[] | null {
  if (names === null) return null;
  const found = names.map((name) => visible.get(name)).filter((column) => column !== undefined);
  return found.length === names.length ? Object.freeze(found) : null;
}

/**
 * Returns a unique `uuid` column by which records of a table with a numeric primary key can be addressed too.
 */
function findUuidKey(table: Table, visible: ReadonlyMap<string, CompiledColumn>): CompiledColumn | null {
  const only = table.primaryKey?.length === 1 ? visible.get(table.primaryKey[0] ?? '') : undefined;
  if (only === undefined || (only.valueKind !== 'integer' && only.valueKind !== 'decimal')) return null;
  const uuid = visible.get('uuid');
  if (uuid === undefined || (uuid.valueKind !== 'uuid' && uuid.valueKind !== 'string')) return null;
  const isUnique = table.indexes.some(
    (index) =>
      index.unique &&
      index.columns.length === 1 &&
      index.columns[0]?.name === 'uuid' &&
      index.columns[0].prefixLength === null,
  );
  return isUnique ? uuid : null;
}

/**
 * Returns the spatial reference system (SRID) of all values in a geometry column. Returns null if each value
 * has its own, and for other columns. MariaDB stores an SRID with each value but ignores it, so all values
 * have the SRID 0.
 */
export function findSrid(
  column: Pick<Column, 'valueKind' | 'definition'>,
  engine: EngineKind,
): number | null {
  if (column.valueKind !== 'geometry') return null;
  if (engine === 'mariadb') return 0;
  const digits = / SRID (\d+)\b/.exec(column.definition.replace(/'(?:[^'\\]|''|\\.)*'/g, ''))?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Returns the relationships of `source` whose tables and columns are all visible with the rights. */
function compileRelationships(source: CompiledTable): CompiledRelationship[] {
  const compiled: CompiledRelationship[] = [];
  for (const relationship of source.source.relationships) {
    const entry = compileRelationship(source, relationship);
    if (entry !== null) compiled.push(entry);
  }
  return compiled;
}

function compileRelationship(source: CompiledTable, relationship: Relationship): CompiledRelationship | null {
  const target = source.schema.findByName(relationship.table);
  if (target === null) return null;
  const sourceColumns = findColumns(source, relationship.nearColumns);
  const targetColumns = findColumns(target, relationship.farColumns);
  const link = relationship.link === null ? null : compileLink(source, relationship.link);
  if (sourceColumns === null || targetColumns === null || (relationship.link !== null && link === null))
    return null;
  return Object.freeze({
    name: relationship.name,
    kind: relationship.kind,
    source,
    target,
    sourceColumns,
    targetColumns,
    link,
  });
}

function compileLink(source: CompiledTable, link: RelationshipLink): CompiledLink | null {
  const table = source.schema.findByName(link.table);
  if (table === null) return null;
  const sourceColumns = findColumns(table, link.nearColumns);
  const targetColumns = findColumns(table, link.farColumns);
  return sourceColumns === null || targetColumns === null
    ? null
    : Object.freeze({ table, sourceColumns, targetColumns });
}

function findColumns(table: CompiledTable, names: readonly string[]): readonly CompiledColumn[] | null {
  const found: CompiledColumn[] = [];
  for (const name of names) {
    const column = table.findColumn(name);
    if (column === null) return null;
    found.push(column);
  }
  return Object.freeze(found);
}
