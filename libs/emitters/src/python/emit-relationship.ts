import type { CompiledColumn, CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import type { RowScope } from './emit-row-class.js';
import { toCall, toPythonString } from './python-text.js';
import type { PythonNames } from './to-python-names.js';

/**
 * Emits a relationship as a declared attribute, since it belongs to an abstract class. Joins name their
 * tables and columns explicitly. Several keys between two tables and unusual names are then unambiguous.
 */
export function emitRelationship(relationship: CompiledRelationship, scope: RowScope): string[] {
  const { names, all, imports, options } = scope;
  const { far, link, kind } = relationship;
  const farNames = all.get(far);
  const attribute = names.relationships.get(relationship.name) ?? relationship.name;
  const target = farNames?.one ?? far.name;
  imports.name('.base', 'column');
  const partner = findPartner(relationship);
  const partnerAttribute = partner === null ? undefined : farNames?.relationships.get(partner.name);
  const overlaps = listOverlaps(relationship, partner, scope);
  const args = [
    toPythonString(target),
    ...(link === null ? [] : [`secondary=lambda: ${imports.name('.base', 'Base')}.metadata.tables[${toPythonString(link.table.name)}]`]),
    ...emitJoins(relationship, imports.name.bind(imports)),
    `uselist=${kind === 'to_one' ? 'False' : 'True'}`,
    ...(partnerAttribute === undefined ? [] : [`back_populates=${toPythonString(partnerAttribute)}`]),
    // The database handles rows that reference a deleted row.
    ...(kind === 'to_many' ? ['passive_deletes="all"'] : []),
    ...(overlaps.length === 0 ? [] : [`overlaps=${toPythonString(overlaps.join(','))}`]),
  ];
  const call = `return ${toCall(imports.name('sqlalchemy.orm', 'relationship'), args, 8)}`;
  const decorator = `@${imports.name('sqlalchemy.orm', 'declared_attr')}`;
  if (options.sqlalchemy === '1.4') return [decorator, `def ${attribute}(cls):`, `    ${call}`];
  const one = kind === 'to_one' && relationship.nearColumns.some((column) => column.nullable) ? `${target} | None` : target;
  const mapped = `${imports.name('sqlalchemy.orm', 'Mapped')}[${kind === 'to_one' ? one : `list[${target}]`}]`;
  return [decorator, '@classmethod', `def ${attribute}(cls) -> ${toPythonString(mapped)}:`, `    ${call}`];
}

function emitJoins({ kind, near, far, nearColumns, farColumns, link }: CompiledRelationship, name: (module: string, name: string) => string): string[] {
  const foreign = (text: string): string => `${name('sqlalchemy.orm', 'foreign')}(${text})`;
  const remote = (text: string): string => `${name('sqlalchemy.orm', 'remote')}(${text})`;
  if (link === null) {
    const pairs = nearColumns.map((column, at) => {
      const [own, other] = [toColumn(near, column), toColumn(far, farColumns[at])];
      return kind === 'to_one' ? `${foreign(own)} == ${remote(other)}` : `${own} == ${remote(foreign(other))}`;
    });
    return [`primaryjoin=lambda: ${toAnd(pairs)}`];
  }
  const pair = (table: CompiledTable, columns: readonly CompiledColumn[], linking: readonly CompiledColumn[]): string =>
    toAnd(columns.map((column, at) => `${toColumn(table, column)} == ${foreign(toColumn(link.table, linking[at]))}`));
  return [`primaryjoin=lambda: ${pair(near, nearColumns, link.nearColumns)}`, `secondaryjoin=lambda: ${pair(far, farColumns, link.farColumns)}`];
}

function toAnd(pairs: readonly string[]): string {
  return pairs.length === 1 ? pairs.join('') : `sa.and_(${pairs.join(', ')})`;
}

function toColumn(table: CompiledTable, column: CompiledColumn | undefined): string {
  return `column(${toPythonString(table.name)}, ${toPythonString(column?.name ?? '')})`;
}

/** Returns the same relationship from its other side, or null. */
function findPartner(relationship: CompiledRelationship): CompiledRelationship | null {
  const { near, far, kind } = relationship;
  const wanted = { to_one: 'to_many', to_many: 'to_one', many_to_many: 'many_to_many' }[kind];
  const road = toRoad(relationship, true);
  return far.relationships.find((other) => other !== relationship && other.far === near && other.kind === wanted && toRoad(other, false) === road) ?? null;
}

/** Returns the columns of a relationship's path from one side or the other. */
function toRoad({ near, far, nearColumns, farColumns, link }: CompiledRelationship, isReversed: boolean): string {
  const ends = [[near.name, toNames(nearColumns), toNames(link?.nearColumns)], [far.name, toNames(farColumns), toNames(link?.farColumns)]];
  return JSON.stringify([isReversed ? ends.toReversed() : ends, link?.table.name]);
}

/** Returns other relationships that write the same columns, which SQLAlchemy requires to be declared. */
function listOverlaps(relationship: CompiledRelationship, partner: CompiledRelationship | null, { all }: RowScope): string[] {
  const writers = writersOf(all);
  const names = new Set<string>();
  for (const column of listWritten(relationship)) {
    for (const other of writers.get(column) ?? []) if (other.relationship !== relationship && other.relationship !== partner) names.add(other.attribute);
  }
  return [...names].sort();
}

interface Writer {
  readonly relationship: CompiledRelationship;
  readonly attribute: string;
}

const known = new WeakMap<PythonNames, ReadonlyMap<string, readonly Writer[]>>();

/** Indexes the writers by column once. Comparing all pairs would take minutes for hundreds of tables. */
function writersOf(all: PythonNames): ReadonlyMap<string, readonly Writer[]> {
  const found = known.get(all);
  if (found !== undefined) return found;
  const writers = new Map<string, Writer[]>();
  for (const [table, names] of all) {
    if (table.rowKey === null || table.kind === 'view') continue;
    for (const relationship of table.relationships) {
      if (relationship.far.rowKey === null) continue;
      const writer: Writer = { relationship, attribute: names.relationships.get(relationship.name) ?? relationship.name };
      for (const column of new Set(listWritten(relationship))) {
        const others = writers.get(column);
        if (others === undefined) writers.set(column, [writer]);
        else others.push(writer);
      }
    }
  }
  known.set(all, writers);
  return writers;
}

function listWritten({ kind, near, far, nearColumns, farColumns, link }: CompiledRelationship): string[] {
  if (link !== null) return [...link.nearColumns, ...link.farColumns].map((column) => JSON.stringify([link.table.name, column.name]));
  const [table, columns] = kind === 'to_one' ? [near, nearColumns] : [far, farColumns];
  return columns.map((column) => JSON.stringify([table.name, column.name]));
}

function toNames(columns: readonly CompiledColumn[] | undefined): string[] {
  return (columns ?? []).map((column) => column.name);
}
