import {
  memoizeByObject,
  type CompiledColumn,
  type CompiledRelationship,
  type CompiledTable,
} from '@rowhouse/schema-model';
import { toCall, toPythonString, type PythonImports, type PythonOptions } from './python-text.js';
import type { PythonNames, PythonTableNames } from './to-python-names.js';

/**
 * Emits a relationship of an abstract class as a declared attribute. Its join names the tables and columns
 * explicitly, so that several keys between two tables and unusual names are not ambiguous.
 */
export function emitRelationship(relationship: CompiledRelationship, scope: RowScope): string[] {
  const { names, all, imports, options } = scope;
  const { target: targetTable, link, kind } = relationship;
  const targetNames = all.get(targetTable);
  const attribute = names.relationships.get(relationship.name) ?? relationship.name;
  const target = targetNames?.one ?? targetTable.name;
  imports.name('.base', 'column');
  const partner = findPartner(relationship);
  const partnerAttribute = partner === null ? undefined : targetNames?.relationships.get(partner.name);
  const overlaps = listOverlaps(relationship, partner, scope);
  const args = [
    toPythonString(target),
    ...(link === null
      ? []
      : [
          `secondary=lambda: ${imports.name('.base', 'Base')}.metadata.tables[${toPythonString(link.table.name)}]`,
        ]),
    ...emitJoins(relationship, imports.name.bind(imports)),
    `uselist=${kind === 'to_one' ? 'False' : 'True'}`,
    ...(partnerAttribute === undefined ? [] : [`back_populates=${toPythonString(partnerAttribute)}`]),
    // SQLAlchemy then leaves rows that refer to a deleted row to the database.
    ...(kind === 'to_many' ? ['passive_deletes="all"'] : []),
    ...(overlaps.length === 0 ? [] : [`overlaps=${toPythonString(overlaps.join(','))}`]),
  ];
  const returnLine = `return ${toCall(imports.name('sqlalchemy.orm', 'relationship'), args, 8)}`;
  const decorator = `@${imports.name('sqlalchemy.orm', 'declared_attr')}`;
  if (options.sqlalchemy === '1.4') return [decorator, `def ${attribute}(cls):`, `    ${returnLine}`];
  const item =
    kind === 'to_one' && relationship.sourceColumns.some((column) => column.nullable)
      ? `${target} | None`
      : target;
  const mapped = `${imports.name('sqlalchemy.orm', 'Mapped')}[${kind === 'to_one' ? item : `list[${target}]`}]`;
  return [
    decorator,
    '@classmethod',
    `def ${attribute}(cls) -> ${toPythonString(mapped)}:`,
    `    ${returnLine}`,
  ];
}

function emitJoins(
  { kind, source, target, sourceColumns, targetColumns, link }: CompiledRelationship,
  name: (module: string, name: string) => string,
): string[] {
  const foreign = (text: string): string => `${name('sqlalchemy.orm', 'foreign')}(${text})`;
  const remote = (text: string): string => `${name('sqlalchemy.orm', 'remote')}(${text})`;
  if (link === null) {
    const pairs = sourceColumns.map((column, index) => {
      const [own, other] = [toColumn(source, column), toColumn(target, targetColumns[index])];
      return kind === 'to_one'
        ? `${foreign(own)} == ${remote(other)}`
        : `${own} == ${remote(foreign(other))}`;
    });
    return [`primaryjoin=lambda: ${toAnd(pairs)}`];
  }
  const pair = (
    table: CompiledTable,
    columns: readonly CompiledColumn[],
    linking: readonly CompiledColumn[],
  ): string =>
    toAnd(
      columns.map(
        (column, index) => `${toColumn(table, column)} == ${foreign(toColumn(link.table, linking[index]))}`,
      ),
    );
  return [
    `primaryjoin=lambda: ${pair(source, sourceColumns, link.sourceColumns)}`,
    `secondaryjoin=lambda: ${pair(target, targetColumns, link.targetColumns)}`,
  ];
}

function toAnd(pairs: readonly string[]): string {
  return pairs.length === 1 ? pairs.join('') : `sa.and_(${pairs.join(', ')})`;
}

function toColumn(table: CompiledTable, column: CompiledColumn | undefined): string {
  return `column(${toPythonString(table.name)}, ${toPythonString(column?.name ?? '')})`;
}

/**
 * Returns the relationship of the target table that is the reverse of this one. Returns null if the table has
 * no such relationship.
 */
function findPartner(relationship: CompiledRelationship): CompiledRelationship | null {
  const { source, target, kind } = relationship;
  const partnerKind = { to_one: 'to_many', to_many: 'to_one', many_to_many: 'many_to_many' }[kind];
  const ownColumns = toColumnSignature(relationship, true);
  return (
    target.relationships.find(
      (other) =>
        other !== relationship &&
        other.target === source &&
        other.kind === partnerKind &&
        toColumnSignature(other, false) === ownColumns,
    ) ?? null
  );
}

/**
 * Returns a text that identifies the columns of a relationship, seen from one side. A relationship and its
 * reverse have the same text if one of them is reversed.
 */
function toColumnSignature(
  { source, target, sourceColumns, targetColumns, link }: CompiledRelationship,
  isReversed: boolean,
): string {
  const ends = [
    [source.name, toNames(sourceColumns), toNames(link?.sourceColumns)],
    [target.name, toNames(targetColumns), toNames(link?.targetColumns)],
  ];
  return JSON.stringify([isReversed ? ends.toReversed() : ends, link?.table.name]);
}

/**
 * Returns the other relationships that write the same columns. SQLAlchemy requires that they are declared.
 */
function listOverlaps(
  relationship: CompiledRelationship,
  partner: CompiledRelationship | null,
  { all }: RowScope,
): string[] {
  const writers = writersOf(all);
  const names = new Set<string>();
  for (const column of listWritten(relationship)) {
    for (const other of writers.get(column) ?? [])
      if (other.relationship !== relationship && other.relationship !== partner) names.add(other.attribute);
  }
  return [...names].sort();
}

interface Writer {
  readonly relationship: CompiledRelationship;
  readonly attribute: string;
}

/**
 * Returns the relationships that write each column. For hundreds of tables, a comparison of all pairs of
 * relationships would take minutes.
 */
const writersOf = memoizeByObject((all: PythonNames): ReadonlyMap<string, readonly Writer[]> => {
  const writers = new Map<string, Writer[]>();
  for (const [table, names] of all) {
    if (table.rowKey === null || table.kind === 'view') continue;
    for (const relationship of table.relationships) {
      if (relationship.target.rowKey === null) continue;
      const writer: Writer = {
        relationship,
        attribute: names.relationships.get(relationship.name) ?? relationship.name,
      };
      for (const column of new Set(listWritten(relationship))) {
        const others = writers.get(column);
        if (others === undefined) writers.set(column, [writer]);
        else others.push(writer);
      }
    }
  }
  return writers;
});

function listWritten({
  kind,
  source,
  target,
  sourceColumns,
  targetColumns,
  link,
}: CompiledRelationship): string[] {
  if (link !== null)
    return [...link.sourceColumns, ...link.targetColumns].map((column) =>
      JSON.stringify([link.table.name, column.name]),
    );
  const [table, columns] = kind === 'to_one' ? [source, sourceColumns] : [target, targetColumns];
  return columns.map((column) => JSON.stringify([table.name, column.name]));
}

function toNames(columns: readonly CompiledColumn[] | undefined): string[] {
  return (columns ?? []).map((column) => column.name);
}

export interface RowScope {
  readonly table: CompiledTable;
  readonly names: PythonTableNames;
  readonly all: PythonNames;
  readonly options: PythonOptions;
  readonly imports: PythonImports;
}
