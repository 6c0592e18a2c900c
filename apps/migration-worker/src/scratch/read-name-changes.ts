import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ColumnNameChange, NameChange } from '@rowhouse/ddl-plan';
import type { WorkerServer } from '@rowhouse/platform-store';
import { classifyDdl, lexSql, SCHEMA_BOUNDS, splitStatementsSteps, type SqlToken } from '@rowhouse/query-engine';
import { doStepsInTurns } from '@rowhouse/schema-model';

/** A text without these words only adds names, or does so in a text that describes a whole schema. */
const MAY_MOVE = /\b(rename|change|drop|replace)\b/i;

/** Returns whether a text may rename or drop something, or put it in the place of something else. */
export function mayMoveNames(sql: string): boolean {
  return MAY_MOVE.test(sql);
}

/**
 * Returns what the statements of a schema text do to the names of tables, views and columns, in their order. Statements
 * that change no names are left out. A text that the server took can be read; of another, nothing is returned.
 */
export async function readNameChanges(sql: string, server: Pick<WorkerServer, 'engine' | 'engineVersion'>): Promise<NameChange[]> {
  try {
    const statements = await doStepsInTurns(splitStatementsSteps(sql, { engine: server.engine, version: server.engineVersion }), () => nextTurn());
    const changes: NameChange[] = [];
    for (const statement of statements) {
      if (classifyDdl(statement).kind !== 'allowed') continue;
      changes.push(...new StatementReader(lexSql(statement.sql, SCHEMA_BOUNDS).filter((token) => token.kind !== 'comment')).read());
    }
    return changes;
  } catch {
    return [];
  }
}

/** Words behind ADD that begin something other than a column, unless they are quoted. */
const NOT_COLUMNS: ReadonlySet<string> = new Set(['INDEX', 'KEY', 'UNIQUE', 'PRIMARY', 'FULLTEXT', 'SPATIAL', 'CONSTRAINT', 'FOREIGN', 'CHECK', 'PARTITION', 'LIKE']);

class StatementReader {
  #at = 0;

  constructor(private readonly tokens: readonly SqlToken[]) {}

  read(): NameChange[] {
    if (this.#take('CREATE')) return this.#readCreate();
    if (this.#take('DROP')) return this.#readDrop();
    if (this.#take('RENAME')) return this.#readRename();
    return this.#take('ALTER') ? this.#readAlter() : [];
  }

  #readCreate(): NameChange[] {
    let orReplace = false;
    while (this.#at < this.tokens.length && !this.#is('TABLE') && !this.#is('VIEW')) {
      if (this.#isAny(['INDEX', 'TRIGGER', 'FUNCTION', 'PROCEDURE', 'EVENT'])) return [];
      if (this.#is('REPLACE')) orReplace = true;
      this.#at += 1;
    }
    const isView = this.#is('VIEW');
    this.#at += 1;
    const ifNotExists = this.#takeExistence();
    const name = this.#name();
    if (name === null) return [];
    return isView ? [{ kind: 'create_view', view: name }] : [{ kind: 'create_table', table: name, orReplace, ifNotExists, columns: this.#readDefinition() }];
  }

  #readDefinition(): readonly string[] | { readonly like: string } {
    if (this.#take('LIKE')) return { like: this.#name() ?? '' };
    if (!this.#takeOperator('(')) return [];
    if (this.#take('LIKE')) return { like: this.#name() ?? '' };
    return this.#readColumns();
  }

  /** The names of columns up to the parenthesis that closes the list. */
  #readColumns(): string[] {
    const columns: string[] = [];
    for (;;) {
      const name = this.#startsColumn() ? this.#name() : null;
      if (name !== null) columns.push(name);
      this.#skipClause();
      if (!this.#takeOperator(',')) break;
    }
    this.#takeOperator(')');
    return columns;
  }

  #startsColumn(): boolean {
    const token = this.tokens[this.#at];
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted')) return false;
    if (token.kind === 'word' && NOT_COLUMNS.has(token.value)) return false;
    // VECTOR is no reserved word.
    return !(token.kind === 'word' && token.value === 'VECTOR' && this.#isAny(['INDEX', 'KEY'], 1));
  }

  #readDrop(): NameChange[] {
    if (this.#is('TEMPORARY')) this.#at += 1;
    if (!this.#take('TABLE') && !this.#take('TABLES') && !this.#take('VIEW')) return [];
    const ifExists = this.#takeExistence();
    const names: string[] = [];
    do {
      const name = this.#name();
      if (name !== null) names.push(name);
    } while (this.#takeOperator(','));
    return [{ kind: 'drop', names, ifExists }];
  }

  #readRename(): NameChange[] {
    if (!this.#take('TABLE') && !this.#take('TABLES')) return [];
    const ifExists = this.#takeExistence();
    const changes: NameChange[] = [];
    do {
      const from = this.#name();
      while (this.#at < this.tokens.length && !this.#is('TO')) this.#at += 1;
      this.#take('TO');
      const to = this.#name();
      if (from !== null && to !== null) changes.push({ kind: 'rename_table', from, to, ifExists });
    } while (this.#takeOperator(','));
    return changes;
  }

  #readAlter(): NameChange[] {
    while (this.#isAny(['ONLINE', 'OFFLINE', 'IGNORE'])) this.#at += 1;
    if (!this.#take('TABLE')) return [];
    const ifExists = this.#takeExistence();
    const table = this.#name();
    if (table === null) return [];
    if (this.#take('WAIT')) this.#at += 1;
    else this.#take('NOWAIT');
    const columns: ColumnNameChange[] = [];
    let renameTo: string | null = null;
    do {
      const clause = this.#readClause();
      if (typeof clause === 'string') renameTo = clause;
      else columns.push(...clause);
      this.#skipClause();
    } while (this.#takeOperator(','));
    return columns.length === 0 && renameTo === null ? [] : [{ kind: 'alter_table', table, ifExists, columns, renameTo }];
  }

  /** What one clause does to columns, or the new name of the table. */
  #readClause(): readonly ColumnNameChange[] | string {
    if (this.#take('ADD')) return this.#readAdd();
    if (this.#take('DROP')) return this.#readDropColumn();
    if (this.#take('CHANGE')) {
      this.#take('COLUMN');
      const ifExists = this.#takeExistence();
      return this.#toRename(this.#name(), this.#name(), ifExists);
    }
    if (!this.#take('RENAME') || this.#isAny(['INDEX', 'KEY'])) return [];
    if (!this.#take('COLUMN')) {
      if (!this.#take('TO') && !this.#take('AS')) this.#takeOperator('=');
      return this.#name() ?? [];
    }
    const ifExists = this.#takeExistence();
    const from = this.#name();
    this.#take('TO');
    return this.#toRename(from, this.#name(), ifExists);
  }

  #toRename(from: string | null, to: string | null, ifExists: boolean): ColumnNameChange[] {
    return from === null || to === null || from === to ? [] : [{ kind: 'rename', from, to, ifExists }];
  }

  #readAdd(): ColumnNameChange[] {
    const isColumn = this.#take('COLUMN');
    const ifNotExists = this.#takeExistence();
    const names = this.#takeOperator('(') ? this.#readColumns() : isColumn || this.#startsColumn() ? [this.#name()] : [];
    return names.flatMap((name): ColumnNameChange[] => (name === null ? [] : [{ kind: 'add', name, ifNotExists }]));
  }

  #readDropColumn(): ColumnNameChange[] {
    const isColumn = this.#take('COLUMN');
    if (!isColumn && !this.#is('IF') && !this.#startsColumn()) return [];
    const ifExists = this.#takeExistence();
    const name = this.#name();
    return name === null ? [] : [{ kind: 'drop', name, ifExists }];
  }

  /** Moves to the comma or the parenthesis that ends the clause. */
  #skipClause(): void {
    for (let depth = 0; this.#at < this.tokens.length; this.#at += 1) {
      const token = this.tokens[this.#at];
      if (token?.kind !== 'operator') continue;
      if (depth === 0 && (token.value === ',' || token.value === ')')) return;
      if (token.value === '(') depth += 1;
      if (token.value === ')') depth -= 1;
    }
  }

  /** A name, without the database before it. */
  #name(): string | null {
    const token = this.tokens[this.#at];
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted')) return null;
    this.#at += 1;
    if (this.#takeOperator('.')) return this.#name();
    return token.kind === 'quoted' ? token.value : token.text;
  }

  /** True for IF EXISTS and IF NOT EXISTS. */
  #takeExistence(): boolean {
    if (!this.#is('IF')) return false;
    this.#at += this.#isAny(['NOT'], 1) ? 3 : 2;
    return true;
  }

  #is(word: string): boolean {
    return this.#isAny([word]);
  }

  #isAny(words: readonly string[], ahead = 0): boolean {
    const token = this.tokens[this.#at + ahead];
    return token?.kind === 'word' && words.includes(token.value);
  }

  #take(word: string): boolean {
    const isNext = this.#is(word);
    if (isNext) this.#at += 1;
    return isNext;
  }

  #takeOperator(operator: string): boolean {
    const token = this.tokens[this.#at];
    const isNext = token?.kind === 'operator' && token.value === operator;
    if (isNext) this.#at += 1;
    return isNext;
  }
}
