import type { CompiledTable } from '@rowhouse/schema-model';
import { toSchemaNames } from '../openapi/to-schema-names.js';
import { RESERVED_ATTRIBUTES, RESERVED_CLASSES, RESERVED_MODULES } from './python-words.js';

export interface PythonTableNames {
  /** The name of the class, such as `Post`. Other classes have suffixes, such as `PostCreate`. */
  readonly one: string;
  /** The name of the module and its file, such as `posts`. */
  readonly module: string;
  /** The attribute for each column. */
  readonly columns: ReadonlyMap<string, string>;
  /** The attribute for each relationship. */
  readonly relationships: ReadonlyMap<string, string>;
  /** The name of the type with the labels of each ENUM or SET column. */
  readonly labels: ReadonlyMap<string, string>;
}

export type PythonNames = ReadonlyMap<CompiledTable, PythonTableNames>;

const CLASS_SUFFIXES = ['', 'base', 'create', 'update', 'read', 'table'];

/** Returns valid and unique Python names. For the same tables, the names are the same. */
export function toPythonNames(tables: readonly CompiledTable[]): PythonNames {
  const classes = toSchemaNames(tables, {
    reserved: RESERVED_CLASSES,
    suffixes: CLASS_SUFFIXES,
    reservedStart: /^Generated/,
  });
  const modules = claimAll(
    tables.map((table) => table.name),
    RESERVED_MODULES,
    (name) => toIdentifier(name, 'table').toLowerCase(),
  );
  const taken = new Set<string>();
  for (const { one: item } of classes.values())
    for (const suffix of CLASS_SUFFIXES) taken.add(item.toLowerCase() + suffix);
  const names = new Map<CompiledTable, PythonTableNames>();
  tables.forEach((table, index) => {
    const item = classes.get(table)?.one ?? 'Table';
    const labels = new Map<string, string>();
    const attributes = nameAttributes(
      table,
      table.relationships.map(({ target }) => classes.get(target)?.one ?? ''),
    );
    const spelled = new Set([...attributes.columns.values(), ...attributes.relationships.values()]);
    for (const column of table.columns) {
      if (column.labels === null) continue;
      const requested = `${item}${toPascal(attributes.columns.get(column.name) ?? 'labels')}`;
      labels.set(
        column.name,
        claim(requested, (name) => !taken.has(name.toLowerCase()) && !spelled.has(name)),
      );
      taken.add((labels.get(column.name) ?? '').toLowerCase());
    }
    names.set(table, { one: item, module: modules[index] ?? 'table', ...attributes, labels });
  });
  return names;
}

/**
 * Names the attributes of a table, columns before relationships. In the database, their names differ, but as
 * Python names they may be equal. The relationship then gets another name. The class body uses classes for
 * relationships, so no attribute may have the name of such a class.
 */
function nameAttributes(
  table: CompiledTable,
  targetClasses: readonly string[],
): Pick<PythonTableNames, 'columns' | 'relationships'> {
  const columns = table.columns.map((column) => column.name);
  const relationships = table.relationships.map((relationship) => relationship.name);
  const found = claimAll(
    [...columns, ...relationships],
    new Set([...RESERVED_ATTRIBUTES, ...targetClasses]),
    (name) => toIdentifier(name, 'column'),
  );
  return {
    columns: new Map(columns.map((name, index) => [name, found[index] ?? name])),
    relationships: new Map(relationships.map((name, index) => [name, found[columns.length + index] ?? name])),
  };
}

/**
 * Returns a unique name for each item. Valid names do not change. Each other item gets a similar name that no
 * item uses in any spelling.
 */
function claimAll(
  names: readonly string[],
  reserved: ReadonlySet<string>,
  spell: (name: string) => string,
): string[] {
  const isFree = (name: string): boolean => !reserved.has(name) && spell(name) === name;
  const raw = new Set(names);
  const taken = new Set<string>();
  const retained = names.map((name) => {
    if (!isFree(name) || taken.has(name)) return null;
    taken.add(name);
    return name;
  });
  return names.map((name, index) => {
    const own = retained[index];
    if (own !== null && own !== undefined) return own;
    const spelled = spell(name);
    const requested = reserved.has(spelled) ? `${spelled}_` : spelled;
    const claimed = claim(
      requested,
      (candidate) => !taken.has(candidate) && !raw.has(candidate) && !reserved.has(candidate),
    );
    taken.add(claimed);
    return claimed;
  });
}

function claim(requested: string, isFree: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? requested : `${requested}_${number}`;
    if (isFree(name)) return name;
  }
}

/**
 * Converts a name to a Python identifier. Letters of every script are valid, and Python normalizes
 * identifiers to NFKC. Pydantic does not allow an underscore at the start.
 */
function toIdentifier(name: string, prefix: string): string {
  const spelled = name
    .normalize('NFKC')
    .replaceAll(/[^\p{XIDC}]/gu, '_')
    .replace(/^_+/, '');
  if (spelled === '') return prefix;
  return /^\p{XIDS}/u.test(spelled) ? spelled : `${prefix}_${spelled}`;
}

function toPascal(attribute: string): string {
  return attribute
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
