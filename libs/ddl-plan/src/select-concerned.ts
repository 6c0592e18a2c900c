import type { Snapshot, Table } from '@rowhouse/schema-model';

/**
 * Returns the part of a schema that statements can have to do with: tables and views whose name, or the name of one of
 * whose keys, checks or triggers, appears in `texts`; what depends on those; and what any of them needs to be created.
 * Routines are all part of it. Case does not count, and a name in a comment counts too: a table too many does no harm.
 */
export function selectConcerned(snapshot: Snapshot, texts: readonly string[]): Snapshot {
  const entries = snapshot.tables.map((table) => new Entry(table));
  const said = new Words(texts);
  const named = entries.filter((entry) => entry.names.some((name) => said.has(name)));
  const concerned = new Set([...named, ...entries.filter((entry) => named.some((other) => entry.mentions(other)))]);
  const views = entries.filter(({ table }) => table.kind === 'view');
  // A view of a view breaks with what the first one reads.
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

/** Names in texts, in lower case. */
class Words {
  readonly #words = new Set<string>();
  readonly #text: string;

  constructor(texts: readonly string[]) {
    this.#text = texts.join('\n').toLowerCase();
    for (const [word] of this.#text.matchAll(/[\p{L}\p{N}_$]+/gu)) this.#words.add(word);
  }

  has(name: string): boolean {
    return /^[\p{L}\p{N}_$]+$/u.test(name) ? this.#words.has(name) : this.#text.includes(name.replaceAll('`', '``'));
  }
}

class Entry {
  readonly name: string;
  /** Of the table and of what is unique to it in its schema. */
  readonly names: readonly string[];
  readonly #parents: ReadonlySet<string>;
  /** Of a view's text and of triggers, which name what they read and write. */
  readonly #words: Words;

  constructor(readonly table: Table) {
    const { name, foreignKeys, checks, triggers = [] } = table;
    this.name = name.toLowerCase();
    this.names = [name, ...foreignKeys.map((key) => key.name), ...checks.map((check) => check.name), ...triggers.map((trigger) => trigger.name)].map((one) => one.toLowerCase());
    this.#parents = new Set(foreignKeys.map((key) => key.referencedTable.toLowerCase()));
    this.#words = new Words(table.kind === 'view' ? [table.createSql] : triggers.map((trigger) => trigger.createSql));
  }

  /** In a foreign key, in the text of a view or in a trigger. */
  mentions(other: Entry): boolean {
    return this.#words.has(other.name) || this.#parents.has(other.name);
  }

  /** Servers create a trigger whatever it names. */
  needs(other: Entry): boolean {
    return this.#parents.has(other.name) || (this.table.kind === 'view' && this.#words.has(other.name));
  }
}
