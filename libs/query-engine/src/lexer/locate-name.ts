import { lexSql } from './lex-sql.js';
import { foldName, isNameToken, nameOf } from './names.js';
import { positionAt, type TextPosition } from './sql-fault.js';

/**
 * Returns the position of the first use of a name, quoted or not, or null. Never throws for a text that the
 * guard accepted.
 */
export function locateName(text: string, name: string): TextPosition | null {
  const token = lexSql(text).find(
    (sqlToken) => isNameToken(sqlToken) && foldName(nameOf(sqlToken)) === foldName(name),
  );
  return token === undefined ? null : { line: token.line, column: token.column };
}

/**
 * Returns the position in the original text of the part of `runSql` that a server quoted, or null if unknown.
 */
export function locateText(text: string, runSql: string, quoted: string): TextPosition | null {
  const offset = runSql.indexOf(quoted);
  if (quoted === '' || offset === -1 || runSql.includes(quoted, offset + 1)) return null;
  const lead = text.length - text.trimStart().length;
  // After a comment or parameter, the two texts differ.
  return text.startsWith(runSql.slice(0, offset), lead) ? positionAt(text, lead + offset) : null;
}
