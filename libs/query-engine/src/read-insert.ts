import { isDigitUnit, isNameUnit, isSpaceUnit, skipName, skipQuoted } from './scan-text.js';

/** One value of a row: a text between its quotes with what stands before it (`_binary`), or what is the same anywhere. */
export type InsertValue =
  | { readonly kind: 'text'; readonly quoted: string; readonly introducer: string }
  | { readonly kind: 'plain'; readonly text: string };

export interface InsertHead {
  /** Null: given without. */
  readonly database: string | null;
  readonly table: string;
  /** Null: all columns in their order. */
  readonly columns: readonly string[] | null;
}

/** Where and why reading ended before the statement did. Rows before it have been told. */
export interface InsertFault {
  readonly offset: number;
  readonly reason: string;
}

/** Of a table. */
const COLUMNS_MAX = 4_096;
const OPTIONS: ReadonlySet<string> = new Set(['LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'IGNORE', 'INTO']);
const WORDS: ReadonlySet<string> = new Set(['NULL', 'TRUE', 'FALSE', 'DEFAULT']);
const NUMBER = /[+-]?(?:0x[0-9a-f]+|0b[01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/iy;

/** A statement whose rows are read one by one: it may have millions of them. */
export interface OpenInsert {
  /** Null: nothing of it can be read; `fault` tells why. */
  readonly head: InsertHead | null;
  /** The next row; null behind the last that can be read. */
  next(): InsertValue[] | null;
  /** Why the rows ended before the statement did, once they have. */
  fault(): InsertFault | null;
}

/**
 * Reads `INSERT INTO t (…) VALUES (…),(…)` (and REPLACE) whose values are literals and nothing else: no function, no
 * variable, no SELECT passes. The first rows of a statement may be told although a later one is at fault.
 */
export function openInsert(text: string): OpenInsert {
  const reader = new InsertReader(text);
  let fault: InsertFault | null = null;
  let isAtEnd = false;
  let isBegun = false;
  const attempt = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof InsertStop)) throw thrown;
      isAtEnd = true;
      fault = { offset: thrown.offset, reason: thrown.message };
      return null;
    }
  };
  const readNext = (): InsertValue[] | null => {
    if (isBegun && !reader.takeMark(',')) {
      isAtEnd = true;
      reader.assertEnd();
      return null;
    }
    isBegun = true;
    return reader.readRow();
  };
  return {
    head: attempt(() => reader.readHead()),
    next: () => (isAtEnd ? null : attempt(readNext)),
    fault: () => fault,
  };
}

class InsertStop extends Error {
  constructor(readonly offset: number, reason: string) {
    super(reason);
  }
}

class InsertReader {
  private at = 0;

  constructor(private readonly text: string) {}

  readHead(): InsertHead {
    this.readWord();
    for (let word = this.peekWord(); OPTIONS.has(word); word = this.peekWord()) this.readWord();
    const first = this.readName();
    const second = this.takeMark('.') ? this.readName() : null;
    const columns = this.takeMark('(') ? this.readColumns() : null;
    const word = this.readWord();
    if (word !== 'VALUES' && word !== 'VALUE') throw this.stop(`Only rows of values are taken: ${word === '' ? 'something else' : word} stands here.`);
    return { database: second === null ? null : first, table: second ?? first, columns };
  }

  readRow(): InsertValue[] {
    if (!this.takeMark('(')) throw this.stop('A row begins with a parenthesis.');
    const values: InsertValue[] = [];
    if (this.takeMark(')')) return values;
    do {
      if (values.length === COLUMNS_MAX) throw this.stop(`A row has more than ${COLUMNS_MAX} values.`);
      values.push(this.readValue());
    } while (this.takeMark(','));
    if (!this.takeMark(')')) throw this.stop('Only literal values are taken.');
    return values;
  }

  assertEnd(): void {
    this.skipSpace();
    if (this.at < this.text.length) throw this.stop('Nothing may stand behind the rows.');
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
      if (names.length === COLUMNS_MAX) throw this.stop(`A list of more than ${COLUMNS_MAX} columns.`);
      names.push(this.readName());
    } while (this.takeMark(','));
    if (!this.takeMark(')')) throw this.stop('The list of columns is not closed.');
    return names;
  }

  private readValue(): InsertValue {
    this.skipSpace();
    const unit = this.text.charCodeAt(this.at);
    if (unit === 0x27 || unit === 0x22) return { kind: 'text', quoted: this.readQuoted(), introducer: '' };
    NUMBER.lastIndex = this.at;
    const number = isDigitUnit(unit) || unit === 0x2d || unit === 0x2b || unit === 0x2e ? NUMBER.exec(this.text)?.[0] : undefined;
    if (number !== undefined && !isNameUnit(this.text.charCodeAt(this.at + number.length))) {
      this.at += number.length;
      return { kind: 'plain', text: number };
    }
    const word = this.readWord();
    if (WORDS.has(word)) return { kind: 'plain', text: word };
    this.skipSpace();
    if (this.text.charAt(this.at) !== "'") throw this.stop('Only literal values are taken.');
    const quoted = this.readQuoted();
    if (word === 'X' && /^'(?:[0-9a-f]{2})*'$/i.test(quoted)) return { kind: 'plain', text: `x${quoted}` };
    if (word === 'B' && /^'[01]*'$/.test(quoted)) return { kind: 'plain', text: `b${quoted}` };
    if (word === 'N') return { kind: 'text', quoted, introducer: '' };
    if (/^_[A-Z0-9]+$/.test(word)) return { kind: 'text', quoted, introducer: word.slice(1).toLowerCase() };
    throw this.stop('Only literal values are taken.');
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
    for (;;) {
      while (isSpaceUnit(this.text.charCodeAt(this.at))) this.at += 1;
      const isComment = this.text.startsWith('/*', this.at) && this.text.charAt(this.at + 2) !== '!' && !/^\/\*m!/i.test(this.text.slice(this.at, this.at + 4));
      const end = isComment ? this.text.indexOf('*/', this.at + 2) : -1;
      if (end === -1) return;
      this.at = end + 2;
    }
  }

  private stop(reason: string): InsertStop {
    return new InsertStop(this.at, reason);
  }
}
