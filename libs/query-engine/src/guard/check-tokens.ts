import { foreignSchema, type KnownNames } from './read-context.js';
import { nameOf } from '../lexer/names.js';
import { invalidSql, notAllowed } from '../lexer/sql-fault.js';
import { REJECTED_WORDS, SYSTEM_SCHEMAS } from '../lexer/sql-words.js';
import type { SqlToken } from '../types.js';

const NONE: ReadonlySet<SqlToken> = new Set();

/**
 * Enforces the rules that apply to tokens at any position. They do not depend on the parser, so an error in
 * the parser cannot bypass them.
 *
 * @param tokens without comments and without the last `;`
 * @param inPlace words that a write may contain at their positions
 */
export function checkTokens(
  tokens: readonly SqlToken[],
  names: KnownNames,
  inPlace: ReadonlySet<SqlToken> = NONE,
): void {
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const following = tokens[index + 1];
    switch (token.kind) {
      case 'operator':
        checkOperator(token);
        break;
      case 'variable':
        throw notAllowed('Variables (@) are not allowed.', token);
      case 'word':
        if (!isMember(token, before) && !inPlace.has(token)) checkWord(token, before, following);
        checkQualifier(token, following, names);
        break;
      case 'quoted':
        checkQualifier(token, following, names);
        break;
      default:
        break;
    }
  }
}

/** Reports whether the token follows a dot directly, so that it is a name even if it is a reserved word. */
function isMember(token: SqlToken, before: SqlToken | undefined): boolean {
  return before?.kind === 'operator' && before.value === '.' && before.end === token.start;
}

function checkOperator(token: SqlToken): void {
  if (token.value === ';')
    throw notAllowed('Only one statement is allowed. Remove ";" or what follows it.', token);
  if (token.value === ':=') throw notAllowed('Assignments (:=) are not allowed.', token);
  if (token.value === ':') throw invalidSql('Unexpected ":".', token, 'Write parameters as :name or ?.');
}

function checkWord(token: SqlToken, before: SqlToken | undefined, following: SqlToken | undefined): void {
  const word = token.value;
  if (REJECTED_WORDS.has(word)) throw notAllowed(`${word} is not allowed in a query.`, token);
  const next = following?.kind === 'word' ? following.value : '';
  if (word === 'FOR' && (next === 'UPDATE' || next === 'SHARE')) {
    throw notAllowed(`FOR ${next} is not allowed, because queries cannot lock rows.`, token);
  }
  if ((word === 'NEXT' || word === 'PREVIOUS') && next === 'VALUE') {
    throw notAllowed(`${word} VALUE is not allowed in a query.`, token);
  }
  const isCall = following?.kind === 'operator' && following.value === '(';
  if ((word === 'INSERT' || word === 'REPLACE') && !isCall)
    throw notAllowed(`${word} is not allowed in a query.`, token);
  if (word === 'SET' && before?.value !== 'CHARACTER' && before?.value !== 'CHAR') {
    throw notAllowed('SET is not allowed in a query.', token);
  }
}

/** Rejects the name of a system schema as a qualifier. */
function checkQualifier(token: SqlToken, following: SqlToken | undefined, names: KnownNames): void {
  const isDotted = following?.kind === 'operator' && following.value === '.';
  if (isDotted && SYSTEM_SCHEMAS.has(nameOf(token).toUpperCase()) && !names.tables.has(nameOf(token)))
    throw foreignSchema(token);
}
