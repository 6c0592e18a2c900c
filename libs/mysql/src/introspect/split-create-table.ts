import { skipQuoted } from '@rowhouse/schema-model';

/** The text of SHOW CREATE TABLE, split at the commas of its outermost parentheses. */
export interface CreateTableParts {
  /** The text up to and including the opening parenthesis. */
  readonly head: string;
  /** The columns, keys and constraints in the server's order, without white space around them. */
  readonly pieces: readonly string[];
  /** The text after the closing parenthesis, without AUTO_INCREMENT=n and AUTOEXTEND_SIZE=n. */
  readonly options: string;
}

/**
 * Splits CREATE TABLE. Returns null for any other text. Commas and parentheses in quoted texts and comments
 * do not count.
 */
export function splitCreateTable(createSql: string): CreateTableParts | null {
  const open = skipHead(createSql);
  if (open < 0) return null;
  const chunks: string[] = [];
  let depth = 1;
  let start = open + 1;
  for (let index = open + 1; index < createSql.length; index += 1) {
    const char = createSql[index];
    if (char === "'" || char === '`' || char === '"') index = skipQuoted(createSql, index);
    else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth > 0) continue;
      chunks.push(createSql.slice(start, index).trim());
      return {
        head: createSql.slice(0, open + 1),
        pieces: chunks,
        options: cleanOptions(createSql.slice(index + 1)),
      };
    } else if (char === ',' && depth === 1) {
      chunks.push(createSql.slice(start, index).trim());
      start = index + 1;
    }
  }
  return null;
}

export function joinCreateTable(parts: CreateTableParts): string {
  const options = parts.options === '' ? '' : ` ${parts.options}`;
  return `${parts.head}\n  ${parts.pieces.join(',\n  ')}\n)${options}`;
}

/**
 * Returns the name at the start of a piece, which follows the words in `prefix`, and the rest of the piece.
 */
export function readPieceName(chunk: string): { name: string; rest: string } | null {
  const start = chunk.indexOf('`');
  if (start < 0) return null;
  const end = skipQuoted(chunk, start);
  return { name: chunk.slice(start + 1, end).replaceAll('``', '`'), rest: chunk.slice(end + 1).trim() };
}

function skipHead(text: string): number {
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '`') index = skipQuoted(text, index);
    else if (text[index] === '(') return index;
  }
  return -1;
}

/**
 * Matches the options before ENGINE. MySQL writes the tablespace first, and its name may contain any
 * characters.
 */
const BEFORE_ENGINE =
  /^((?:\/\*!50100 TABLESPACE `(?:[^`]|``)*` \*\/ )?)\/\*!80023 AUTOEXTEND_SIZE=\d+ \*\/ /;

/**
 * Removes options that are not part of a table's structure. With AUTOEXTEND_SIZE, a new table takes up to 4
 * GiB of disk for each partition at once, so copies of a table must not have this option.
 */
function cleanOptions(text: string): string {
  return text
    .trim()
    .replace(BEFORE_ENGINE, '$1')
    .replace(/^(ENGINE=\w+) AUTO_INCREMENT=\d+/, '$1');
}
