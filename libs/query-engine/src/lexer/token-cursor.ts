import { invalidSql } from './sql-fault.js';
import type { SqlToken } from '../types.js';

/** Iterates over a list of tokens that contains no comments. */
export class TokenCursor {
  private index = 0;

  constructor(private readonly tokens: readonly SqlToken[]) {}

  peek(ahead = 0): SqlToken | undefined {
    return this.tokens[this.index + ahead];
  }

  /** Returns the token that was read last. */
  following(): SqlToken | undefined {
    return this.tokens[this.index - 1];
  }

  next(): SqlToken {
    const token = this.tokens[this.index];
    if (token === undefined) throw this.ended();
    this.index += 1;
    return token;
  }

  isAtEnd(): boolean {
    return this.index >= this.tokens.length;
  }

  /** Reports whether a token is this word without backquotes. `word` must be in upper case. */
  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.kind === 'word' && token.value === word;
  }

  isAnyWord(words: ReadonlySet<string>, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.kind === 'word' && words.has(token.value);
  }

  isOperator(operator: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.kind === 'operator' && token.value === operator;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.index += 1;
    return true;
  }

  takeOperator(operator: string): boolean {
    if (!this.isOperator(operator)) return false;
    this.index += 1;
    return true;
  }

  expectWord(word: string): SqlToken {
    if (!this.isWord(word)) throw this.unexpected(word);
    return this.next();
  }

  expectOperator(operator: string): SqlToken {
    if (!this.isOperator(operator)) throw this.unexpected(`"${operator}"`);
    return this.next();
  }

  /** Creates the error for an unexpected token. `expected` describes the token that was expected. */
  unexpected(expected: string): Error {
    const token = this.peek();
    if (token === undefined) return this.ended(expected);
    return invalidSql(`Expected ${expected} before "${shorten(token.text)}".`, token);
  }

  private ended(expected?: string): Error {
    const last = this.tokens.at(-1);
    const position =
      last === undefined
        ? { line: 1, column: 1 }
        : { line: last.line, column: last.column + last.text.length };
    return invalidSql(
      expected === undefined ? 'The statement is incomplete.' : `Expected ${expected} at the end.`,
      position,
    );
  }
}

/** Shortens a text for messages to at most 40 characters on one line. */
export function shorten(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length > 40 ? `${flat.slice(0, 39)}…` : flat;
}
