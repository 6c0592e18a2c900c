import { wordSet } from '../lexer/sql-words.js';
import {
  InsertStopError,
  readConstant,
  RUN_LATER,
  skipSpaceAndComments,
  type ConstantPart,
  type InsertText,
} from './read-constant.js';
import { isDigitUnit, isNameUnit, skipName, skipQuoted } from '../lexer/scan-text.js';

/**
 * One value of a row: a string literal, a literal that is the same in every character set, or an expression
 * of constants.
 */
export type InsertValue =
  | InsertText
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'expression'; readonly parts: readonly ConstantPart[] };

export interface InsertHead {
  /** The action for a row whose key already exists: an error, IGNORE or REPLACE. */
  readonly verb: 'insert' | 'ignore' | 'replace';
  /** The database in the name of the table. Null if the name has none. */
  readonly database: string | null;
  readonly table: string;
  /** The columns that the statement lists. Null means all columns, in the order of the table. */
  readonly columns: readonly string[] | null;
}

/**
 * The position at which reading stopped early, and the reason. The rows before it have already been returned.
 */
export interface InsertFault {
  readonly offset: number;
  readonly reason: string;
  /**
   * Whether the end of the statement changes the meaning of its rows. In that case, none of its rows may be
   * used.
   */
  readonly isWholeStatement: boolean;
}

/** The maximum number of columns in a table. */
const COLUMNS_MAX = 4_096;
const OPTIONS: ReadonlySet<string> = wordSet('LOW_PRIORITY DELAYED HIGH_PRIORITY IGNORE INTO');
const NO_UPSERT = `INSERT … ON DUPLICATE KEY UPDATE is not supported, because it changes existing rows. ${RUN_LATER}`;
const WORDS: ReadonlySet<string> = wordSet('NULL TRUE FALSE DEFAULT');
const NUMBER = /[+-]?(?:0x[0-9a-f]+|0b[01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/iy;

/** An INSERT statement whose rows are read one by one, because there may be millions. */
export interface OpenInsert {
  /** The beginning of the statement. Null if nothing can be read. `fault` then returns the reason. */
  readonly head: InsertHead | null;
  /** Returns the next row. Returns null after the last row that can be read. */
  next(): InsertValue[] | null;
  /** Returns the reason if reading stopped before the end of the statement. Returns null otherwise. */
  fault(): InsertFault | null;
}

/**
 * Reads the statements `INSERT INTO t (…) VALUES (…),(…)` and `INSERT INTO t SET a = …`, and these statements
 * with REPLACE instead of INSERT. Values are literals or constants that the engine computes (see
 * `readConstant`). Columns, variables and SELECT are rejected. Rows may be returned before a fault in a later
 * one is found.
 *
 * @param text without executable comments, one character for each byte
 */
export function openInsert(text: string): OpenInsert {
  const reader = new InsertReader(text);
  let fault: InsertFault | null = null;
  let isAtEnd = false;
  let hasStarted = false;
  const attempt = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InsertStopError)) throw error;
      isAtEnd = true;
      fault = { offset: error.offset, reason: error.message, isWholeStatement: error.isWholeStatement };
      return null;
    }
  };
  const readNext = (): InsertValue[] | null => {
    if (reader.hasSetForm()) return reader.takeSetRow();
    if (hasStarted && !reader.takeMark(',')) {
      isAtEnd = true;
      reader.assertEnd();
      return null;
    }
    hasStarted = true;
    return reader.readRow();
  };
  return {
    head: attempt(() => reader.readHead()),
    next: () => (isAtEnd ? null : attempt(readNext)),
    fault: () => fault,
  };
}

class InsertReader {
  private at = 0;
  /**
   * The row of a statement with SET. Undefined for a statement with VALUES. Null after the row was returned.
   */
  private setRow: InsertValue[] | null | undefined;

  constructor(private readonly text: string) {}

  readHead(): InsertHead {
    let verb: InsertHead['verb'] = this.readWord() === 'REPLACE' ? 'replace' : 'insert';
    for (let word = this.peekWord(); OPTIONS.has(word); word = this.peekWord()) {
      this.readWord();
      if (word === 'IGNORE') verb = 'ignore';
    }
    const first = this.readName();
    const second = this.takeMark('.') ? this.readName() : null;
    const columns = this.takeMark('(') ? this.readColumns() : null;
    const word = this.readWord();
    const named = { verb, database: second === null ? null : first, table: second ?? first };
    if (word === 'SET' && columns === null) return { ...named, columns: this.readAssignments() };
    if (word === 'VALUES' || word === 'VALUE') return { ...named, columns };
    if (word === 'SELECT' || word === 'WITH' || word === 'TABLE')
      throw this.stop(`INSERT … ${word} is not supported. ${RUN_LATER}`);
    throw this.stop(`Expected VALUES${word === '' ? '' : ` instead of ${word}`}.`);
  }

  hasSetForm(): boolean {
    return this.setRow !== undefined;
  }

  /** Returns the row of `INSERT … SET` on the first call, and null afterwards. */
  takeSetRow(): InsertValue[] | null {
    const row = this.setRow ?? null;
    this.setRow = null;
    if (row === null) this.assertEnd();
    return row;
  }

  readRow(): InsertValue[] {
    if (!this.takeMark('(')) throw this.stop('A row must begin with a parenthesis.');
    const values: InsertValue[] = [];
    if (this.takeMark(')')) return values;
    do {
      if (values.length === COLUMNS_MAX) throw this.stop(`A row has more than ${COLUMNS_MAX} values.`);
      values.push(this.readValue());
    } while (this.takeMark(','));
    if (!this.takeMark(')')) throw this.stop('A row is not closed.');
    return values;
  }

  assertEnd(): void {
    const word = this.peekWord();
    if (word === 'ON' || word === 'AS') throw new InsertStopError(this.at, NO_UPSERT, true);
    if (this.at < this.text.length) throw this.stop(`Unexpected text after the rows. ${RUN_LATER}`);
  }

  takeMark(mark: string): boolean {
    this.skipSpace();
    if (this.text.charAt(this.at) !== mark) return false;
    this.at += 1;
    return true;
  }

  private readColumns(): string[] {
    const names: string[] = [];
    if (this.takeMark(')')) return names;
    do {
      if (names.length === COLUMNS_MAX) throw this.stop(`The list has more than ${COLUMNS_MAX} columns.`);
      names.push(this.readName());
    } while (this.takeMark(','));
    if (!this.takeMark(')')) throw this.stop('The list of columns is not closed.');
    return names;
  }

  private readAssignments(): string[] {
    const names: string[] = [];
    const row: InsertValue[] = [];
    do {
      if (names.length === COLUMNS_MAX) throw this.stop(`The list has more than ${COLUMNS_MAX} columns.`);
      names.push(this.readName());
      if (!this.takeMark('=')) throw this.stop('Expected = after the name of the column.');
      row.push(this.readValue(true));
    } while (this.takeMark(','));
    this.assertEnd();
    this.setRow = row;
    return names;
  }

  private readValue(mayEnd = false): InsertValue {
    this.skipSpace();
    const start = this.at;
    const literal = this.readLiteral();
    this.skipSpace();
    const next = this.text.charAt(this.at);
    if (
      literal !== null &&
      (next === ',' || next === ')' || (mayEnd && (next === '' || isNameUnit(next.charCodeAt(0)))))
    )
      return literal;
    const { parts, end } = readConstant(this.text, start);
    this.at = end;
    return { kind: 'expression', parts };
  }

  /** Reads a literal. Returns null if there is another expression. The position is then undefined. */
  private readLiteral(): InsertValue | null {
    const unit = this.text.charCodeAt(this.at);
    if (unit === 0x27 || unit === 0x22) return { kind: 'text', quoted: this.readQuoted(), introducer: '' };
    NUMBER.lastIndex = this.at;
    const number =
      isDigitUnit(unit) || unit === 0x2d || unit === 0x2b || unit === 0x2e
        ? NUMBER.exec(this.text)?.[0]
        : undefined;
    if (number !== undefined && !isNameUnit(this.text.charCodeAt(this.at + number.length))) {
      this.at += number.length;
      return { kind: 'plain', text: number };
    }
    const word = this.readWord();
    if (WORDS.has(word)) return { kind: 'plain', text: word };
    this.skipSpace();
    if (this.text.charAt(this.at) !== "'") return null;
    const quoted = this.readQuoted();
    if (word === 'X' && /^'(?:[0-9a-f]{2})*'$/i.test(quoted)) return { kind: 'plain', text: `x${quoted}` };
    if (word === 'B' && /^'[01]*'$/.test(quoted)) return { kind: 'plain', text: `b${quoted}` };
    if (word === 'N') return { kind: 'text', quoted, introducer: '' };
    return /^_[A-Z0-9]+$/.test(word)
      ? { kind: 'text', quoted, introducer: word.slice(1).toLowerCase() }
      : null;
  }

  private readQuoted(): string {
    const end = skipQuoted(this.text, this.at);
    if (end === -1) throw this.stop('A quote is not closed.');
    const quoted = this.text.slice(this.at, end);
    this.at = end;
    return quoted;
  }

  private readName(): string {
    this.skipSpace();
    if (this.text.charAt(this.at) === '`') return this.readQuoted().slice(1, -1).replaceAll('``', '`');
    const end = skipName(this.text, this.at);
    if (end === this.at) throw this.stop('A name is missing.');
    const name = this.text.slice(this.at, end);
    this.at = end;
    return name;
  }

  private peekWord(): string {
    this.skipSpace();
    return this.text.slice(this.at, skipName(this.text, this.at)).toUpperCase();
  }

  private readWord(): string {
    const word = this.peekWord();
    this.at += word.length;
    return word;
  }

  private skipSpace(): void {
    this.at = skipSpaceAndComments(this.text, this.at);
  }

  private stop(reason: string): InsertStopError {
    return new InsertStopError(this.at, reason);
  }
}
