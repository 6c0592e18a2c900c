import type { Snapshot, Table } from '@rowhouse/schema-model';

/**
 * Returns the part of a schema that the statements in `texts` may affect. It contains:
 * - tables and views whose name appears in `texts`, or one of whose keys, checks or triggers does;
 * - objects that depend on those;
 * - objects that any of these need to be created;
 * - all routines.
 *
 * Matching ignores case. Names in comments match too, since an additional table is harmless.
 */
export function selectConcerned(snapshot: Snapshot, texts: readonly string[]): Snapshot {
  const entries = snapshot.tables.map((table) => new Entry(table));
  const message = new Words(texts);
  const named = entries.filter((entry) => entry.names.some((name) => message.has(name)));
  const concerned = new Set([
    ...named,
    ...entries.filter((entry) => named.some((other) => entry.mentions(other))),
  ]);
  const views = entries.filter(({ table }) => table.kind === 'view');
  // Views of affected views are affected too.
  addAll(concerned, (entry) => views.filter((view) => !concerned.has(view) && view.mentions(entry)));
  addAll(concerned, (entry) => entries.filter((other) => !concerned.has(other) && entry.needs(other)));
  return { ...snapshot, tables: entries.filter((entry) => concerned.has(entry)).map((entry) => entry.table) };
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

/** The words and quoted names of texts, in lower case. */
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
  /** The names of the table and of its objects that are unique in the schema. */
  readonly names: readonly string[];
  readonly #parents: ReadonlySet<string>;
  /** Words in the text of a view and in triggers, which name the tables that they read and write. */
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

  /** Returns whether a foreign key, the view's text or a trigger names the other table. */
  mentions(other: Entry): boolean {
    return this.#words.has(other.name) || this.#parents.has(other.name);
  }

  /**
   * Returns whether the table cannot be created without the other one.
   * Servers create a trigger whatever tables it names.
   */
  needs(other: Entry): boolean {
    return this.#parents.has(other.name) || (this.table.kind === 'view' && this.#words.has(other.name));
  }
}
