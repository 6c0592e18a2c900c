/** A token of SQL text. `isApart` means that whitespace precedes it. */
export interface SqlToken {
  readonly kind: 'word' | 'quoted' | 'comment' | 'mark';
  readonly text: string;
  readonly isApart: boolean;
}

const PIECES = [
  String.raw`(?<blank>\s+)`,
  String.raw`(?<comment>--(?=\s|$)[^\n]*|#[^\n]*|/\*[^]*?(?:\*/|$))`,
  String.raw`(?<quoted>'(?:[^'\\]|\\[^]|'')*'?|"(?:[^"\\]|\\[^]|"")*"?|\x60(?:[^\x60]|\x60\x60)*\x60?)`,
  String.raw`(?<word>[\p{L}\p{N}_$@]+)`,
  String.raw`(?<mark><=>|->>|->|<=|>=|<>|!=|:=|\|\||&&|[^])`,
];
const TOKEN = new RegExp(PIECES.join('|'), 'gu');

/**
 * Reads any text to its end. An unclosed token extends to the end of the text. Joining the tokens, with
 * whitespace where they are apart, gives the text again.
 */
export function readSqlTokens(text: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  let isApart = false;
  for (const match of text.matchAll(TOKEN)) {
    const groups: Readonly<Record<string, string | undefined>> = match.groups ?? {};
    const { blank, comment, quoted, word, mark } = groups;
    if (blank !== undefined) {
      isApart = true;
      continue;
    }
    const kind =
      comment !== undefined
        ? 'comment'
        : quoted !== undefined
          ? 'quoted'
          : word !== undefined
            ? 'word'
            : 'mark';
    tokens.push({ kind, text: comment ?? quoted ?? word ?? mark ?? '', isApart });
    isApart = false;
  }
  return tokens;
}
