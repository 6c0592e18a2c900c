import { lexSql } from './lex-sql.js';
import { foldName, isNameToken, nameOf } from './read-context.js';
import { positionAt, type TextPosition } from './sql-fault.js';

/** Where a name stands in a text for the first time, however it is quoted; null where it does not. Never throws for a text that the guard took. */
export function locateName(text: string, name: string): TextPosition | null {
  const token = lexSql(text).find((one) => isNameToken(one) && foldName(nameOf(one)) === foldName(name));
  return token === undefined ? null : { line: token.line, column: token.column };
}

/** Where the part of `runSql` that a server quoted begins in the text that it was made of; null where that cannot be told. */
export function locateText(text: string, runSql: string, quoted: string): TextPosition | null {
  const offset = runSql.indexOf(quoted);
  if (quoted === '' || offset === -1 || runSql.includes(quoted, offset + 1)) return null;
  const lead = text.length - text.trimStart().length;
  // Behind a comment or a parameter the two are not alike.
  return text.startsWith(runSql.slice(0, offset), lead) ? positionAt(text, lead + offset) : null;
}
