import { skipQuoted } from '@rowhouse/schema-model';

/** The text of SHOW CREATE TABLE, split at the commas of its outermost parentheses. */
export interface CreateTableParts {
  /** The text up to and including the opening parenthesis. */
  readonly head: string;
  /** Trimmed columns, keys and constraints in the server's order. */
  readonly pieces: readonly string[];
  /** The text after the closing parenthesis, without AUTO_INCREMENT=n. */
  readonly options: string;
}

/** Splits CREATE TABLE. Returns null for other text. Quotes and comments inside the pieces are respected. */
export function splitCreateTable(createSql: string): CreateTableParts | null {
  const open = skipHead(createSql);
  if (open < 0) return null;
  const pieces: string[] = [];
  let depth = 1;
  let start = open + 1;
  for (let at = open + 1; at < createSql.length; at += 1) {
    const char = createSql[at];
    if (char === "'" || char === '`' || char === '"') at = skipQuoted(createSql, at);
    else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth > 0) continue;
      pieces.push(createSql.slice(start, at).trim());
      return { head: createSql.slice(0, open + 1), pieces, options: cleanOptions(createSql.slice(at + 1)) };
    } else if (char === ',' && depth === 1) {
      pieces.push(createSql.slice(start, at).trim());
      start = at + 1;
    }
  }
  return null;
}

export function joinCreateTable(parts: CreateTableParts): string {
  const options = parts.options === '' ? '' : ` ${parts.options}`;
  return `${parts.head}\n  ${parts.pieces.join(',\n  ')}\n)${options}`;
}

/** Returns the name at the start of a piece (after the `prefix` words) and the rest. */
export function readPieceName(piece: string): { name: string; rest: string } | null {
  const start = piece.indexOf('`');
  if (start < 0) return null;
  const end = skipQuoted(piece, start);
  return { name: piece.slice(start + 1, end).replaceAll('``', '`'), rest: piece.slice(end + 1).trim() };
}

function skipHead(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '`') at = skipQuoted(text, at);
    else if (text[at] === '(') return at;
  }
  return -1;
}

function cleanOptions(text: string): string {
  return text.trim().replace(/^(ENGINE=\w+) AUTO_INCREMENT=\d+/, '$1');
}
