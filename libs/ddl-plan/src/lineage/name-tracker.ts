import {
  findColumnName,
  findTableName,
  type Identity,
  type IdentitySource,
  type NameState,
  type SchemaNames,
  type TrackedTable,
  type ColumnNameChange,
  type NameChange,
} from './name-state.js';
import type { RenameHint } from '../types.js';

/** Thrown if a statement uses a name that the tracker does not know. */
export class UnknownNameError extends Error {}

interface MutableTable {
  id: Identity;
  kind: 'table' | 'view';
  columns: Map<string, Identity>;
}

/**
 * Tracks the identities of tables and columns while statements are applied. A renamed object keeps its
 * identity, and a created object gets a new one, even if a dropped object had the same name.
 *
 * In the mode `replace`, the text defines a complete schema for an empty database. A table that it creates is
 * the table with the same name in the previous revision (`#described`), even if the text drops the table
 * first, as dumps do.
 */
export class NameTracker {
  #live = new Map<string, MutableTable>();
  /**
   * In the mode `replace`: the tables of the previous revision that the text has not created yet. Null in
   * other modes.
   */
  readonly #described: Map<string, MutableTable> | null;
  readonly #removed: { readonly name: string; readonly table: MutableTable }[] = [];
  readonly #goneColumns: { readonly tableId: number; readonly name: string; readonly id: Identity }[] = [];

  /** @param dropped objects that earlier revisions dropped, for renames that are declared afterwards */
  constructor(
    state: NameState,
    private readonly ids: IdentitySource,
    mode: 'apply' | 'replace',
    private readonly dropped: DroppedObjects = new DroppedObjects(),
  ) {
    const tables = copyState(state);
    if (mode === 'apply') this.#live = tables;
    this.#described = mode === 'apply' ? null : tables;
  }

  /**
   * Applies the effect of one statement on names.
   *
   * @throws UnknownNameError if the statement uses an unknown name
   */
  apply(change: NameChange): void {
    switch (change.kind) {
      case 'create_table':
        return this.#create(change);
      case 'create_view':
        return this.#createView(change.view);
      case 'drop':
        return change.names.forEach((name) => this.#drop(name, change.ifExists));
      case 'rename_table':
        return this.#renameTable(change.from, change.to, change.ifExists);
      case 'alter_table':
        return this.#alter(change);
    }
  }

  /**
   * Merges the identities of a dropped and an added object if the author declares that they are a rename.
   * Other declarations have no effect.
   */
  declare(hint: RenameHint): void {
    if (hint.kind === 'table') this.#declareTable(hint.from, hint.to);
    else this.#declareColumn(hint.table, hint.from, hint.to);
  }

  /** Returns the current names with their identities. */
  names(): NameState {
    return copyState(this.#live);
  }

  /**
   * Replaces the tracked names with the names in the resulting schema. With `isExact`, returns in `differing`
   * the first name that the tracker and the schema do not have in common. Otherwise, names that only the
   * schema has become new objects, and names that only the tracker has are dropped.
   */
  adopt(schema: SchemaNames, isExact: boolean): { state: NameState; differing: string | null } {
    const state = new Map<string, TrackedTable>();
    let differing: string | null = null;
    for (const table of schema.tables) {
      const key = findTableName(this.#live, table.name) ?? this.#recall(table.name);
      const known = key === undefined ? undefined : this.#live.get(key);
      if (key !== undefined) this.#live.delete(key);
      if (known === undefined) differing ??= table.name;
      const columns = new Map<string, Identity>();
      for (const { name } of table.kind === 'view' ? [] : table.columns) {
        const column = known === undefined ? undefined : findColumnName(known.columns, name);
        if (column === undefined) differing ??= `${table.name}.${name}`;
        columns.set(name, known?.columns.get(column ?? '') ?? this.ids.next());
        known?.columns.delete(column ?? '');
      }
      const [left] = known === undefined || table.kind === 'view' ? [] : [...known.columns.keys()];
      if (left !== undefined) differing ??= `${table.name}.${left}`;
      if (known !== undefined) for (const [name, id] of known.columns) this.#recordDropped(known, name, id);
      state.set(table.name, { id: known?.id ?? this.ids.next(), kind: table.kind, columns });
    }
    const [left] = [...this.#live.keys()];
    if (left !== undefined) differing ??= left;
    for (const [name, table] of [...this.#live, ...(this.#described ?? [])])
      this.#removed.push({ name, table });
    this.dropped.add(this.#removed, this.#goneColumns);
    return { state, differing: isExact ? differing : null };
  }

  /**
   * Moves a table of the previous revision to the current tables and returns its key. The text may create
   * this table in a form that the tracker does not parse.
   */
  #recall(name: string): string | undefined {
    const key = this.#described === null ? undefined : findTableName(this.#described, name);
    const table = key === undefined ? undefined : this.#described?.get(key);
    if (key === undefined || table === undefined) return undefined;
    this.#described?.delete(key);
    this.#live.set(key, table);
    return key;
  }

  #find(name: string): MutableTable {
    const key = findTableName(this.#live, name);
    const table = key === undefined ? undefined : this.#live.get(key);
    if (table !== undefined) return table;
    const described = this.#described === null ? undefined : findTableName(this.#described, name);
    const old = described === undefined ? undefined : this.#described?.get(described);
    if (old === undefined) throw new UnknownNameError(name);
    return old;
  }

  #create({ table: name, orReplace, ifNotExists, columns }: NameChange & { kind: 'create_table' }): void {
    const key = findTableName(this.#live, name);
    if (key !== undefined && ifNotExists) return;
    if (key !== undefined && orReplace) this.#drop(key, true);
    const names = 'like' in columns ? [...this.#find(columns.like).columns.keys()] : columns;
    const old = this.#recall(name);
    const before = old === undefined ? undefined : this.#live.get(old);
    const ids = names.map((column): [string, Identity] => {
      const known = before === undefined ? undefined : findColumnName(before.columns, column);
      return [column, before?.columns.get(known ?? '') ?? this.ids.next()];
    });
    if (old !== undefined) this.#live.delete(old);
    if (before !== undefined) {
      const taken = new Set(ids.map(([, id]) => id));
      for (const [column, id] of before.columns) if (!taken.has(id)) this.#recordDropped(before, column, id);
    }
    this.#live.set(name, { id: before?.id ?? this.ids.next(), kind: 'table', columns: new Map(ids) });
  }

  #createView(name: string): void {
    const key = findTableName(this.#live, name);
    if (key !== undefined && this.#live.get(key)?.kind === 'view') return;
    this.#live.set(name, { id: this.ids.next(), kind: 'view', columns: new Map() });
  }

  #drop(name: string, ifExists: boolean): void {
    const key = findTableName(this.#live, name);
    const table = key === undefined ? undefined : this.#live.get(key);
    if (key === undefined || table === undefined) {
      if (!ifExists) throw new UnknownNameError(name);
      return;
    }
    this.#live.delete(key);
    if (this.#described === null) this.#removed.push({ name: key, table });
    else this.#described.set(key, table);
  }

  #renameTable(from: string, to: string, ifExists: boolean): void {
    const key = findTableName(this.#live, from);
    const described =
      key !== undefined || this.#described === null ? undefined : findTableName(this.#described, from);
    const tables = key === undefined ? this.#described : this.#live;
    const found = key ?? described;
    const table = found === undefined ? undefined : tables?.get(found);
    if (found === undefined || table === undefined || tables === null) {
      if (ifExists || this.#declareTable(from, to)) return;
      throw new UnknownNameError(from);
    }
    if (tables === this.#described && tables.has(to)) return void this.#declareTable(from, to);
    tables.delete(found);
    tables.set(to, table);
  }

  #alter({ table: name, ifExists, columns, renameTo }: NameChange & { kind: 'alter_table' }): void {
    let table: MutableTable;
    try {
      table = this.#find(name);
    } catch (error) {
      if (ifExists && error instanceof UnknownNameError) return;
      throw error;
    }
    if (table.kind === 'table') this.#alterColumns(name, table, columns);
    if (renameTo !== null) this.#renameTable(name, renameTo, false);
  }

  #alterColumns(name: string, table: MutableTable, changes: readonly ColumnNameChange[]): void {
    const before = new Map(table.columns);
    const after = new Map(before);
    const added = new Map<string, Identity>();
    const unknown: UnknownNameError[] = [];
    for (const change of changes) {
      const key = findColumnName(before, change.kind === 'rename' ? change.from : change.name);
      if (change.kind === 'add') {
        if (key === undefined || !change.ifNotExists) added.set(change.name, this.ids.next());
      } else if (key === undefined) {
        if (change.ifExists) continue;
        if (change.kind === 'rename' && this.#declareColumn(name, change.from, change.to)) {
          for (const [column, id] of table.columns) if (after.has(column)) after.set(column, id);
          continue;
        }
        unknown.push(new UnknownNameError(`${name}.${change.kind === 'rename' ? change.from : change.name}`));
      } else {
        after.delete(key);
        const id = before.get(key) as Identity;
        if (change.kind === 'rename') added.set(change.to, id);
        else this.#recordDropped(table, key, id);
      }
    }
    const [first] = unknown;
    if (first !== undefined) throw first;
    table.columns = new Map([...after, ...added]);
  }

  #recordDropped(table: MutableTable, name: string, id: Identity): void {
    this.#goneColumns.push({ tableId: table.id[0] as number, name, id });
  }

  /** Declares that a table was renamed. Returns false if the declaration does not refer to any object. */
  #declareTable(from: string, to: string): boolean {
    const key = findTableName(this.#live, to) ?? this.#describedName(to);
    if (key === undefined || findTableName(this.#live, from) !== undefined) return false;
    const table = this.#live.get(key) ?? this.#described?.get(key);
    const removed =
      this.#removed.findLast((entry) => entry.name === from)?.table ?? this.dropped.findTable(from);
    if (table === undefined || table.kind !== 'table') return false;
    if (removed === undefined) return true;
    table.id = join(table.id, removed.id);
    for (const [name, id] of table.columns) {
      const old = findColumnName(removed.columns, name);
      if (old !== undefined) table.columns.set(name, join(id, removed.columns.get(old) as Identity));
    }
    return true;
  }

  #describedName(name: string): string | undefined {
    return this.#described === null ? undefined : findTableName(this.#described, name);
  }

  #declareColumn(tableName: string, from: string, to: string): boolean {
    const key = findTableName(this.#live, tableName) ?? this.#describedName(tableName);
    const table = key === undefined ? undefined : (this.#live.get(key) ?? this.#described?.get(key));
    const column = table === undefined ? undefined : findColumnName(table.columns, to);
    if (table === undefined || column === undefined || findColumnName(table.columns, from) !== undefined)
      return false;
    const isRemoved = (entry: { tableId: number; name: string }): boolean =>
      table.id.includes(entry.tableId) && entry.name.toLowerCase() === from.toLowerCase();
    const removed = this.#goneColumns.findLast(isRemoved)?.id ?? this.dropped.findColumn(isRemoved);
    if (removed !== undefined)
      table.columns.set(column, join(table.columns.get(column) as Identity, removed));
    return true;
  }
}

/** The objects that the tracked revisions have dropped, by the last name of each. */
export class DroppedObjects {
  readonly #tables: { readonly name: string; readonly table: TrackedTable }[] = [];
  readonly #columns: { readonly tableId: number; readonly name: string; readonly id: Identity }[] = [];

  add(
    tables: readonly { readonly name: string; readonly table: TrackedTable }[],
    columns: readonly { readonly tableId: number; readonly name: string; readonly id: Identity }[],
  ): void {
    this.#tables.push(...tables);
    this.#columns.push(...columns);
  }

  findTable(name: string): TrackedTable | undefined {
    return this.#tables.findLast((entry) => entry.name === name)?.table;
  }

  findColumn(isWanted: (entry: { tableId: number; name: string }) => boolean): Identity | undefined {
    return this.#columns.findLast(isWanted)?.id;
  }
}

function copyState(state: NameState): Map<string, MutableTable> {
  return new Map([...state].map(([name, table]) => [name, { ...table, columns: new Map(table.columns) }]));
}

function join(own: Identity, other: Identity): Identity {
  return [...new Set([...own, ...other])];
}
