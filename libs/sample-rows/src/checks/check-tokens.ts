export interface CheckToken {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'end';
  readonly text: string;
}

const END: CheckToken = { kind: 'end', text: '' };
const PIECE =
  /\s+|`((?:[^`]|``)*)`|(?:_[a-z0-9]+\s*)?'((?:[^'\\]|''|\\.)*)'|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_$][\w$]*)|(<=>|<=|>=|<>|!=|&&|\|\||[-+*/%(),<>=!])/y;

/** The tokens of a CHECK clause, with the position of the next one. */
export class CheckTokens {
  readonly #tokens: readonly CheckToken[];
  #at = 0;

  private constructor(tokens: readonly CheckToken[]) {
    this.#tokens = tokens;
  }

  /** Splits a clause into tokens. Returns null if a character belongs to no known token. */
  static of(clause: string): CheckTokens | null {
    // MySQL escapes the complete clause a second time, including its quotes.
    const text = /_[a-z0-9]+\\'/.test(clause) ? clause.replaceAll(/\\(.)/g, '$1') : clause;
    const tokens: CheckToken[] = [];
    for (let index = 0; index < text.length;) {
      PIECE.lastIndex = index;
      const found = PIECE.exec(text);
      if (found === null) return null;
      index = PIECE.lastIndex;
      const [, name, quoted, number, word, sign] = found;
      if (name !== undefined) tokens.push({ kind: 'name', text: name.replaceAll('``', '`') });
      else if (quoted !== undefined)
        tokens.push({ kind: 'text', text: quoted.replaceAll("''", "'").replaceAll(/\\(.)/g, '$1') });
      else if (number !== undefined) tokens.push({ kind: 'number', text: number });
      else if (word !== undefined) tokens.push({ kind: 'word', text: word });
      else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    }
    return new CheckTokens(tokens);
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** Returns the next symbol, or the next word in upper case. Returns '' for any other token. */
  peek(): string {
    const token = this.#tokens[this.#at] ?? END;
    return token.kind === 'sign' ? token.text : token.kind === 'word' ? token.text.toUpperCase() : '';
  }

  /** Skips the next token and returns true if it is `text`. Returns false otherwise. */
  take(text: string): boolean {
    const exists = text !== '' && this.peek() === text;
    if (exists) this.#at += 1;
    return exists;
  }

  next(): CheckToken {
    const token = this.#tokens[this.#at] ?? END;
    this.#at += 1;
    return token;
  }
}
