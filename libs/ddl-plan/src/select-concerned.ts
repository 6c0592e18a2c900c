import type { Snapshot, Table } from '@rowhouse/schema-model';
import { tableOptions } from './structure-text.js';

/**
 * Returns everything in a schema that the SQL statements in `texts` may affect. It contains:
 * - tables and views that `texts` names, directly or by one of their keys, checks or triggers;
 * - objects that depend on those;
 * - objects that must exist so that these can be created;
 * - all routines.
 *
 * Matching ignores case. Names in comments match too, because an additional table does no harm. `target` is
 * the schema after the statements. With it, the result omits objects that depend only on tables whose
 * columns, keys and options stay the same.
 */
export function selectConcerned(snapshot: Snapshot, texts: readonly string[], target?: Snapshot): Snapshot {
  const entries = snapshot.tables.map((table) => new Entry(table));
  const message = new Words(texts);
  const named = entries.filter((entry) => entry.names.some((name) => message.has(name)));
  const targets = new Map(target?.tables.map((table) => [table.name, table]));
  const changed = named.filter(({ table }) => !keepsAll(table, targets.get(table.name)));
  const concerned = new Set([
    ...named,
    ...entries.filter((entry) => changed.some((other) => entry.mentions(other))),
  ]);
  const kept = new Set(named.filter((entry) => !changed.includes(entry)));
  const views = entries.filter(({ table }) => table.kind === 'view');
  // A view that reads an affected view is affected too.
  addAll(concerned, (entry) =>
    kept.has(entry) ? [] : views.filter((view) => !concerned.has(view) && view.mentions(entry)),
  );
  addAll(concerned, (entry) => entries.filter((other) => !concerned.has(other) && entry.needs(other)));
  return { ...snapshot, tables: entries.filter((entry) => concerned.has(entry)).map((entry) => entry.table) };
}

/** Returns whether a table still has all of its columns and keys afterwards, and maybe more. */
function keepsAll(before: Table, after: Table | undefined): boolean {
  if (after === undefined || after.kind !== before.kind) return false;
  if (before.kind === 'view') return before.createSql === after.createSql;
  const columns = new Map(after.columns.map((column) => [column.name, column.definition]));
  const indexes = new Set(after.indexes.map((index) => index.definition));
  return (
    tableOptions(before) === tableOptions(after) &&
    before.columns.every((column) => columns.get(column.name) === column.definition) &&
    before.indexes.every((index) => indexes.has(index.definition))
  );
}

function addAll(entries: Set<Entry>, find: (entry: Entry) => readonly Entry[]): void {
  const waiting = [...entries];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    for (const found of find(entry)) {
      if (entries.has(found)) continue;
      entries.add(found);
      waiting.push(found);
    }
  }
}

/** The words and quoted names in texts, in lower case. */
class Words {
  readonly #words = new Set<string>();
  readonly #text: string;

  constructor(texts: readonly string[]) {
    this.#text = texts.join('\n').toLowerCase();
    for (const [word] of this.#text.matchAll(/[\p{L}\p{N}_$]+/gu)) this.#words.add(word);
  }

  has(name: string): boolean {
    return /^[\p{L}\p{N}_$]+$/u.test(name)
      ? this.#words.has(name)
      : this.#text.includes(name.replaceAll('`', '``'));
  }
}

class Entry {
  readonly name: string;
  /** The names of the table and of those of its objects whose names are unique in the schema. */
  readonly names: readonly string[];
  readonly #parents: ReadonlySet<string>;
  /**
   * The words in a view's text and in triggers, among which are the names of tables that they read and write.
   */
  readonly #words: Words;

  constructor(readonly table: Table) {
    const { name, foreignKeys, checks, triggers = [] } = table;
    this.name = name.toLowerCase();
    this.names = [
      name,
      ...foreignKeys.map((key) => key.name),
      ...checks.map((check) => check.name),
      ...triggers.map((trigger) => trigger.name),
    ].map((item) => item.toLowerCase());
    this.#parents = new Set(foreignKeys.map((key) => key.referencedTable.toLowerCase()));
    this.#words = new Words(
      table.kind === 'view' ? [table.createSql] : triggers.map((trigger) => trigger.createSql),
    );
  }

  /** Reports whether a foreign key, a trigger or the view's text names the other table. */
  mentions(other: Entry): boolean {
    return this.#words.has(other.name) || this.#parents.has(other.name);
  }

  /**
   * Reports whether the table can only be created if the other one exists. Servers create a trigger whatever
   * tables it names.
   */
  needs(other: Entry): boolean {
    return this.#parents.has(other.name) || (this.table.kind === 'view' && this.#words.has(other.name));
  }
}
