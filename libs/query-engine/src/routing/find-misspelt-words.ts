import { AppError, nearestNames } from '@rowhouse/errors';
import { lexSql } from '../lexer/lex-sql.js';
import { namesOf } from './schema-names.js';
import { RESERVED_WORDS } from '../lexer/sql-words.js';
import type { RouteSchema, SqlToken } from '../types.js';

/** A misspelled SQL keyword with its correction. */
export interface MisspeltWord {
  readonly token: SqlToken;
  readonly keyword: string;
}

const VERBS =
  'SELECT INSERT UPDATE DELETE REPLACE CREATE ALTER DROP TRUNCATE RENAME SHOW DESCRIBE EXPLAIN VALUES WITH'.split(
    ' ',
  );
const CLAUSES =
  'FROM WHERE GROUP ORDER HAVING LIMIT OFFSET JOIN INNER LEFT OUTER CROSS UNION INTO VALUES TABLE TABLES COLUMN COLUMNS INDEX VIEW DATABASE DISTINCT BETWEEN'.split(
    ' ',
  );
/** The maximum number of misspelled words in a text. Each attempt to correct them parses the text once. */
const SLIPS_MAX = 4;
const TEXT_CHARACTERS_MAX = 4_096;

/**
 * Returns the words that must be corrected so that a text becomes SQL. Examples are `SELEC 1`, `ALTER TABEL
 * posts …` and `… FORM posts`. The list is empty if no correction is sufficient. Names of the schema and
 * longer forms of keywords (`deleted`) are never corrected.
 *
 * @param isSql returns whether a corrected text is valid
 */
export function findMisspeltWords(
  text: string,
  schema: RouteSchema,
  isSql: (text: string) => boolean,
): MisspeltWord[] {
  if (text.length > TEXT_CHARACTERS_MAX) return [];
  const slips = listSlips(tryLex(text), schema);
  if (slips.length === 0 || slips.length > SLIPS_MAX) return [];
  const attempts = slips.length === 1 ? [slips] : [slips, ...slips.map((slip) => [slip])];
  return attempts.find((some) => isSql(putRight(text, some))) ?? [];
}

/**
 * Returns an error that names the misspelled keyword if its correction makes the text valid. Otherwise
 * returns the guard's error.
 */
export function explainMisspelling(
  error: unknown,
  text: string,
  schema: RouteSchema,
  isSql: (text: string) => boolean,
): unknown {
  if (!(error instanceof AppError) || error.code !== 'query.invalid_sql') return error;
  const [first, ...others] = findMisspeltWords(text, schema, isSql);
  return first === undefined ? error : misspeltError([first, ...others]);
}

/** Creates the error 400 `query.invalid_sql` for the first misspelled keyword. */
export function misspeltError([first, ...others]: readonly [MisspeltWord, ...MisspeltWord[]]): AppError {
  const { line, column } = first.token;
  const keywords = [first, ...others].map(({ keyword }) => keyword);
  return new AppError('query.invalid_sql', {
    detail: `"${first.token.text}" is not an SQL keyword (line ${line}, column ${column})`,
    hint: `Did you mean ${keywords.join(' … ')}? To send a question, add "mode": "question".`,
    extra: { line, column, suggestions: keywords },
  });
}

function tryLex(text: string): readonly SqlToken[] {
  try {
    return lexSql(text).filter((token) => token.kind !== 'comment');
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/**
 * Returns possible misspellings in a text. The list is empty unless the first word is an SQL verb or similar
 * to one.
 */
function listSlips(tokens: readonly SqlToken[], schema: RouteSchema): MisspeltWord[] {
  const first = tokens.find((token) => token.value !== '(');
  if (first?.kind !== 'word') return [];
  const verb = VERBS.includes(first.value) ? null : findKeyword(first, VERBS);
  if (verb === null && !VERBS.includes(first.value)) return [];
  const slips: MisspeltWord[] = verb === null ? [] : [{ token: first, keyword: verb }];
  for (const token of tokens) {
    if (token === first || token.kind !== 'word' || RESERVED_WORDS.has(token.value)) continue;
    const keyword = CLAUSES.includes(token.value) ? null : findKeyword(token, CLAUSES);
    if (keyword !== null) slips.push({ token, keyword });
  }
  return slips.filter(({ token }) => !isNamed(token, schema));
}

function findKeyword({ value }: SqlToken, keywords: readonly string[]): string | null {
  return (
    nearestNames(
      value,
      keywords.filter((keyword) => isSlipOf(value, keyword)),
      1,
    )[0] ?? null
  );
}

/**
 * Reports whether a word may be a misspelling of a keyword. People rarely mistype the first letter, and short
 * words are similar to too many others.
 */
function isSlipOf(word: string, keyword: string): boolean {
  const startsAlike = word[0] === keyword[0] || (word[0] === keyword[1] && word[1] === keyword[0]);
  const continues = word.startsWith(keyword) && word.slice(keyword.length) !== keyword.at(-1);
  const isShort = keyword.length < 5 && word.length === keyword.length;
  return startsAlike && !continues && !(isShort && sortLetters(word) !== sortLetters(keyword));
}

function sortLetters(word: string): string {
  return Array.from(word).sort().join('');
}

/** Reports whether a table or column has this name. */
function isNamed({ value }: SqlToken, schema: RouteSchema): boolean {
  const { words } = namesOf(schema);
  return words.has(value) || words.has(`${value}S`);
}

function putRight(text: string, slips: readonly MisspeltWord[]): string {
  let result = '';
  let end = 0;
  for (const { token, keyword } of [...slips].sort((a, b) => a.token.start - b.token.start)) {
    result += text.slice(end, token.start) + keyword;
    end = token.end;
  }
  return result + text.slice(end);
}
