import type { RawTable } from '../raw-schema.js';
import { toSingularName } from './to-singular.js';
import type { ForeignKey, Relationship } from '../types.js';

const AFFIXES: readonly RegExp[] = [
  // Matches prefixes of foreign-key columns, as in fk_artist, id_artist, fkArtist and idArtist.
  /^(?:fk|id)_(?=.)/i,
  /^(?:fk|id|FK)(?=[A-Z][a-z])/,
  // Matches suffixes of foreign-key columns, as in artist_id, artist_fk, artistId, ArtistID and artistFk.
  /(?<=.)_(?:id|fk)$/i,
  /(?<=[a-z0-9])(?:Id|ID|Fk|FK)$/,
];

/** A relationship that has no name yet. `wanted` contains the names that it may get, with the best first. */
export interface NamelessRelationship {
  readonly source: string;
  readonly wanted: readonly string[];
  readonly relationship: Omit<Relationship, 'name'>;
}

/**
 * Returns all relationships that follow from foreign keys. They are to-one, to-many, or many-to-many with a
 * link table.
 */
export function collectRelationships(tables: readonly RawTable[]): NamelessRelationship[] {
  const known = new Set(tables.map((table) => table.name));
  const found: NamelessRelationship[] = [];
  for (const table of tables) {
    const keys = dropDuplicateKeys(table.foreignKeys.filter((key) => known.has(key.referencedTable)));
    const links = findLinkPairs(table, keys);
    const isPure = links.length > 0 && isPureLink(table, keys);
    for (const key of keys) {
      const isOnly = keys.filter((other) => other.referencedTable === key.referencedTable).length === 1;
      found.push(toOne(table, key, isOnly));
      found.push(toMany(table, key, isPure));
    }
    for (const [a, b] of links) found.push(toManyToMany(table, a, b), toManyToMany(table, b, a));
  }
  return found;
}

/** Removes duplicates: two foreign keys with the same columns and the same target are one relationship. */
function dropDuplicateKeys(keys: readonly ForeignKey[]): ForeignKey[] {
  const byMeaning = new Map<string, ForeignKey>();
  for (const key of keys) {
    const meaning = JSON.stringify([key.columns, key.referencedTable, key.referencedColumns]);
    if (!byMeaning.has(meaning)) byMeaning.set(meaning, key);
  }
  return [...byMeaning.values()];
}

/**
 * Returns the to-one relationship of a foreign key. `isOnly` means that no other foreign key of the table
 * refers to the target, so that the target's name is unambiguous.
 */
function toOne(table: RawTable, key: ForeignKey, isOnly: boolean): NamelessRelationship {
  const only = key.columns.length === 1 ? key.columns[0] : undefined;
  const record = toSingularName(key.referencedTable);
  const short = only === undefined ? record : dropKeyAffixes(only);
  return {
    source: table.name,
    // The last name is used if the shorter names are names of columns.
    wanted: [
      ...new Set([short, ...(isOnly ? [record] : [])]),
      `${key.referencedTable}_by_${key.columns.join('_')}`,
    ],
    relationship: {
      kind: 'to_one',
      table: key.referencedTable,
      nearColumns: key.columns,
      farColumns: key.referencedColumns,
      foreignKeys: [{ table: table.name, name: key.name }],
      link: null,
    },
  };
}

/**
 * Returns the to-many relationship of a foreign key. `isPure` means that the rows of the child table only
 * link two other tables. The relationship then gets no short name, because the many-to-many relationship
 * covers these rows.
 */
function toMany(table: RawTable, key: ForeignKey, isPure: boolean): NamelessRelationship {
  const long = `${table.name}_by_${key.columns.join('_')}`;
  return {
    source: key.referencedTable,
    wanted: isPure ? [] : [table.name, long],
    relationship: {
      kind: 'to_many',
      table: table.name,
      nearColumns: key.referencedColumns,
      farColumns: key.columns,
      foreignKeys: [{ table: table.name, name: key.name }],
      link: null,
    },
  };
}

function toManyToMany(link: RawTable, source: ForeignKey, target: ForeignKey): NamelessRelationship {
  const long = `${target.referencedTable}_via_${link.name}`;
  return {
    source: source.referencedTable,
    wanted: [target.referencedTable, long, `${long}_by_${target.columns.join('_')}`],
    relationship: {
      kind: 'many_to_many',
      table: target.referencedTable,
      nearColumns: source.referencedColumns,
      farColumns: target.referencedColumns,
      foreignKeys: [
        { table: link.name, name: source.name },
        { table: link.name, name: target.name },
      ],
      link: { table: link.name, nearColumns: source.columns, farColumns: target.columns },
    },
  };
}

/**
 * Returns the pairs of foreign keys by which a table links two others. The columns of both keys together must
 * be a primary or unique key, but the columns of a single key must not be unique.
 */
function findLinkPairs(table: RawTable, keys: readonly ForeignKey[]): [ForeignKey, ForeignKey][] {
  const uniques = uniqueColumnSets(table);
  const pairs: [ForeignKey, ForeignKey][] = [];
  keys.forEach((a, index) => {
    for (const b of keys.slice(index + 1)) {
      const union = toSetText([...a.columns, ...b.columns]);
      const isAlone = union === toSetText(a.columns) || union === toSetText(b.columns);
      if (!isAlone && uniques.has(union)) pairs.push([a, b]);
    }
  });
  return pairs;
}

function uniqueColumnSets(table: RawTable): Set<string> {
  const sets = new Set<string>();
  if (table.primaryKey !== null) sets.add(toSetText(table.primaryKey));
  for (const index of table.indexes) {
    const isComplete = index.columns.every((part) => part.name !== null && part.prefixLength === null);
    if (index.unique && isComplete) sets.add(toSetText(index.columns.map((part) => part.name ?? '')));
  }
  return sets;
}

function toSetText(columns: readonly string[]): string {
  return JSON.stringify([...new Set(columns)].sort());
}

/** Reports whether the table contains only foreign keys and, optionally, an AUTO_INCREMENT column. */
function isPureLink(table: RawTable, keys: readonly ForeignKey[]): boolean {
  const linking = new Set(keys.flatMap((key) => key.columns));
  return table.columns.every((column) => linking.has(column.name) || column.autoIncrement);
}

/**
 * Returns the name of a foreign-key column without the prefix or suffix that marks it as a key. The result is
 * `artist` for `artist_id`, `fk_artist`, `idArtist`, `artist_fk` and `artistId`, and `Artist` for `ArtistId`.
 * Other names are returned unchanged.
 */
function dropKeyAffixes(column: string): string {
  const cut = AFFIXES.reduce((name, affix) => name.replace(affix, ''), column);
  return /^(?:fk|id)[A-Z]/.test(column) ? cut.charAt(0).toLowerCase() + cut.slice(1) : cut;
}
