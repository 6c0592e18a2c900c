import { setImmediate as nextSlice } from 'node:timers/promises';
import type { ColumnNameChange, NameChange } from '@rowhouse/ddl-plan';
import type { WorkerServer } from '@rowhouse/platform-store';
import {
  classifyDdl,
  lexSql,
  SCHEMA_BOUNDS,
  splitStatementsSteps,
  TokenCursor,
  type SqlToken,
} from '@rowhouse/query-engine';
import { runStepsInSlices } from '@rowhouse/schema-model';

/**
 * Matches words that can change names. Without these words, a text only adds names or describes a whole
 * schema.
 */
const MAY_MOVE = /\b(rename|change|drop|replace)\b/i;

/** Returns whether a text may rename, drop or replace an object. */
export function mayMoveNames(sql: string): boolean {
  return MAY_MOVE.test(sql);
}

/**
 * Returns how the statements of a schema text change the names of tables, views and columns, in order.
 * Statements that change no names are omitted. Returns an empty list for a text that the server would reject.
 */
export async function readNameChanges(
  sql: string,
  server: Pick<WorkerServer, 'engine' | 'engineVersion'>,
): Promise<NameChange[]> {
  try {
    const statements = await runStepsInSlices(
      splitStatementsSteps(sql, { engine: server.engine, version: server.engineVersion }),
      () => nextSlice(),
    );
    const changes: NameChange[] = [];
    for (const statement of statements) {
      if (classifyDdl(statement).kind !== 'allowed') continue;
      changes.push(
        ...new StatementReader(
          lexSql(statement.sql, SCHEMA_BOUNDS).filter((token) => token.kind !== 'comment'),
        ).read(),
      );
    }
    return changes;
  } catch {
    return [];
  }
}

const OTHER_OBJECTS: ReadonlySet<string> = new Set(['INDEX', 'TRIGGER', 'FUNCTION', 'PROCEDURE', 'EVENT']);
const KEYS: ReadonlySet<string> = new Set(['INDEX', 'KEY']);
const ALTER_OPTIONS: ReadonlySet<string> = new Set(['ONLINE', 'OFFLINE', 'IGNORE']);
/** Words after ADD that do not begin a column, unless they are quoted. */
const NOT_COLUMNS: ReadonlySet<string> = new Set([
  'INDEX',
  'KEY',
  'UNIQUE',
  'PRIMARY',
  'FULLTEXT',
  'SPATIAL',
  'CONSTRAINT',
  'FOREIGN',
  'CHECK',
  'PARTITION',
  'LIKE',
]);

class StatementReader {
  readonly #cursor: TokenCursor;

  constructor(tokens: readonly SqlToken[]) {
    this.#cursor = new TokenCursor(tokens);
  }

  read(): NameChange[] {
    if (this.#cursor.takeWord('CREATE')) return this.#readCreate();
    if (this.#cursor.takeWord('DROP')) return this.#readDrop();
    if (this.#cursor.takeWord('RENAME')) return this.#readRename();
    return this.#cursor.takeWord('ALTER') ? this.#readAlter() : [];
  }

  #readCreate(): NameChange[] {
    let orReplace = false;
    while (!this.#cursor.isAtEnd() && !this.#cursor.isWord('TABLE') && !this.#cursor.isWord('VIEW')) {
      if (this.#cursor.isAnyWord(OTHER_OBJECTS)) return [];
      if (this.#cursor.isWord('REPLACE')) orReplace = true;
      this.#cursor.next();
    }
    const isView = this.#cursor.isWord('VIEW');
    this.#skip();
    const ifNotExists = this.#takeExistence();
    const name = this.#name();
    if (name === null) return [];
    return isView
      ? [{ kind: 'create_view', view: name }]
      : [{ kind: 'create_table', table: name, orReplace, ifNotExists, columns: this.#readDefinition() }];
  }

  #readDefinition(): readonly string[] | { readonly like: string } {
    if (this.#cursor.takeWord('LIKE')) return { like: this.#name() ?? '' };
    if (!this.#cursor.takeOperator('(')) return [];
    if (this.#cursor.takeWord('LIKE')) return { like: this.#name() ?? '' };
    return this.#readColumns();
  }

  /** Reads the names of columns up to the closing parenthesis of the list. */
  #readColumns(): string[] {
    const columns: string[] = [];
    for (;;) {
      const name = this.#startsColumn() ? this.#name() : null;
      if (name !== null) columns.push(name);
      this.#skipClause();
      if (!this.#cursor.takeOperator(',')) break;
    }
    this.#cursor.takeOperator(')');
    return columns;
  }

  #startsColumn(): boolean {
    const token = this.#cursor.peek();
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted')) return false;
    if (token.kind === 'word' && NOT_COLUMNS.has(token.value)) return false;
    // VECTOR is not a reserved word, so a column may have this name.
    return !(token.kind === 'word' && token.value === 'VECTOR' && this.#cursor.isAnyWord(KEYS, 1));
  }

  #readDrop(): NameChange[] {
    this.#cursor.takeWord('TEMPORARY');
    if (!this.#cursor.takeWord('TABLE') && !this.#cursor.takeWord('TABLES') && !this.#cursor.takeWord('VIEW'))
      return [];
    const ifExists = this.#takeExistence();
    const names: string[] = [];
    do {
      const name = this.#name();
      if (name !== null) names.push(name);
    } while (this.#cursor.takeOperator(','));
    return [{ kind: 'drop', names, ifExists }];
  }

  #readRename(): NameChange[] {
    if (!this.#cursor.takeWord('TABLE') && !this.#cursor.takeWord('TABLES')) return [];
    const ifExists = this.#takeExistence();
    const changes: NameChange[] = [];
    do {
      const from = this.#name();
      while (!this.#cursor.isAtEnd() && !this.#cursor.isWord('TO')) this.#cursor.next();
      this.#cursor.takeWord('TO');
      const to = this.#name();
      if (from !== null && to !== null) changes.push({ kind: 'rename_table', from, to, ifExists });
    } while (this.#cursor.takeOperator(','));
    return changes;
  }

  #readAlter(): NameChange[] {
    while (this.#cursor.isAnyWord(ALTER_OPTIONS)) this.#cursor.next();
    if (!this.#cursor.takeWord('TABLE')) return [];
    const ifExists = this.#takeExistence();
    const table = this.#name();
    if (table === null) return [];
    if (this.#cursor.takeWord('WAIT')) this.#skip();
    else this.#cursor.takeWord('NOWAIT');
    const columns: ColumnNameChange[] = [];
    let renameTo: string | null = null;
    do {
      const clause = this.#readClause();
      if (typeof clause === 'string') renameTo = clause;
      else columns.push(...clause);
      this.#skipClause();
    } while (this.#cursor.takeOperator(','));
    return columns.length === 0 && renameTo === null
      ? []
      : [{ kind: 'alter_table', table, ifExists, columns, renameTo }];
  }

  /** Reads the effect of one clause on columns, or the new name of the table. */
  #readClause(): readonly ColumnNameChange[] | string {
    if (this.#cursor.takeWord('ADD')) return this.#readAdd();
    if (this.#cursor.takeWord('DROP')) return this.#readDropColumn();
    if (this.#cursor.takeWord('CHANGE')) {
      this.#cursor.takeWord('COLUMN');
      const ifExists = this.#takeExistence();
      return this.#toRename(this.#name(), this.#name(), ifExists);
    }
    if (!this.#cursor.takeWord('RENAME') || this.#cursor.isAnyWord(KEYS)) return [];
    if (!this.#cursor.takeWord('COLUMN')) {
      if (!this.#cursor.takeWord('TO') && !this.#cursor.takeWord('AS')) this.#cursor.takeOperator('=');
      return this.#name() ?? [];
    }
    const ifExists = this.#takeExistence();
    const from = this.#name();
    this.#cursor.takeWord('TO');
    return this.#toRename(from, this.#name(), ifExists);
  }

  #toRename(from: string | null, to: string | null, ifExists: boolean): ColumnNameChange[] {
    return from === null || to === null || from === to ? [] : [{ kind: 'rename', from, to, ifExists }];
  }

  #readAdd(): ColumnNameChange[] {
    const isColumn = this.#cursor.takeWord('COLUMN');
    const ifNotExists = this.#takeExistence();
    const names = this.#cursor.takeOperator('(')
      ? this.#readColumns()
      : isColumn || this.#startsColumn()
        ? [this.#name()]
        : [];
    return names.flatMap((name): ColumnNameChange[] =>
      name === null ? [] : [{ kind: 'add', name, ifNotExists }],
    );
  }

  #readDropColumn(): ColumnNameChange[] {
    const isColumn = this.#cursor.takeWord('COLUMN');
    if (!isColumn && !this.#cursor.isWord('IF') && !this.#startsColumn()) return [];
    const ifExists = this.#takeExistence();
    const name = this.#name();
    return name === null ? [] : [{ kind: 'drop', name, ifExists }];
  }

  /** Moves to the comma or parenthesis that ends the clause. */
  #skipClause(): void {
    for (let depth = 0; !this.#cursor.isAtEnd(); this.#cursor.next()) {
      const token = this.#cursor.peek();
      if (token?.kind !== 'operator') continue;
      if (depth === 0 && (token.value === ',' || token.value === ')')) return;
      if (token.value === '(') depth += 1;
      if (token.value === ')') depth -= 1;
    }
  }

  #skip(): void {
    if (!this.#cursor.isAtEnd()) this.#cursor.next();
  }

  /** Reads a name and discards the database name before it. */
  #name(): string | null {
    const token = this.#cursor.peek();
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted')) return null;
    this.#cursor.next();
    if (this.#cursor.takeOperator('.')) return this.#name();
    return token.kind === 'quoted' ? token.value : token.text;
  }

  /** Reads IF EXISTS or IF NOT EXISTS. Returns true if one was present. */
  #takeExistence(): boolean {
    if (!this.#cursor.isWord('IF')) return false;
    for (let words = this.#cursor.isWord('NOT', 1) ? 3 : 2; words > 0; words -= 1) this.#skip();
    return true;
  }
}
