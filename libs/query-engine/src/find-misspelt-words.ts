import { AppError, nearestNames } from '@rowhouse/errors';
import { lexSql } from './lex-sql.js';
import { namesOf } from './schema-names.js';
import { RESERVED_WORDS } from './sql-words.js';
import type { RouteSchema, SqlToken } from './types.js';

/** A word that is none of SQL's, and the one that makes SQL of the text. */
export interface MisspeltWord {
  readonly token: SqlToken;
  readonly keyword: string;
}

const VERBS = 'SELECT INSERT UPDATE DELETE REPLACE CREATE ALTER DROP TRUNCATE RENAME SHOW DESCRIBE EXPLAIN VALUES WITH'.split(' ');
const CLAUSES = 'FROM WHERE GROUP ORDER HAVING LIMIT OFFSET JOIN INNER LEFT OUTER CROSS UNION INTO VALUES TABLE TABLES COLUMN COLUMNS INDEX VIEW DATABASE DISTINCT BETWEEN'.split(' ');
/** Slips in one text, at most; and of such a length. Each try reads the text once. */
const SLIPS_MAX = 4;
const TEXT_CHARACTERS_MAX = 4_096;

/**
 * The words of a text that must be others for it to be SQL: `SELEC 1`, `ALTER TABEL posts …`, `… FORM posts`. Empty where
 * nothing like that helps. Names of the schema, and words that go on where one of SQL's ends (`deleted`), are never slips.
 *
 * @param isSql whether a text with the words put right is what it should be
 */
export function findMisspeltWords(text: string, schema: RouteSchema, isSql: (text: string) => boolean): MisspeltWord[] {
  if (text.length > TEXT_CHARACTERS_MAX) return [];
  const slips = listSlips(tryLex(text), schema);
  if (slips.length === 0 || slips.length > SLIPS_MAX) return [];
  const tries = slips.length === 1 ? [slips] : [slips, ...slips.map((slip) => [slip])];
  return tries.find((some) => isSql(putRight(text, some))) ?? [];
}

/** What the guard says of a text, or, where that helps its author more, which word of it is meant to be another. */
export function explainMisspelling(error: unknown, text: string, schema: RouteSchema, isSql: (text: string) => boolean): unknown {
  if (!(error instanceof AppError) || error.code !== 'query.invalid_sql') return error;
  const [first, ...others] = findMisspeltWords(text, schema, isSql);
  return first === undefined ? error : misspeltError([first, ...others]);
}

/** 400 `query.invalid_sql` at the first of them. */
export function misspeltError([first, ...others]: readonly [MisspeltWord, ...MisspeltWord[]]): AppError {
  const { line, column } = first.token;
  const keywords = [first, ...others].map(({ keyword }) => keyword);
  return new AppError('query.invalid_sql', {
    detail: `"${first.token.text}" is no word of SQL: ${first.keyword} may be meant. (line ${line}, column ${column})`,
    hint: `Did you mean ${keywords.join(' … ')}? What is a question all the same is sent with "mode": "question".`,
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

/** Only of a text whose first word is a verb of SQL, or nearly one. */
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
  return nearestNames(value, keywords.filter((keyword) => isSlipOf(value, keyword)), 1)[0] ?? null;
}

/** People rarely miss the first letter, and short words are near too many others to be taken for one with a letter changed. */
function isSlipOf(word: string, keyword: string): boolean {
  const startsAlike = word[0] === keyword[0] || (word[0] === keyword[1] && word[1] === keyword[0]);
  const goesOn = word.startsWith(keyword) && word.slice(keyword.length) !== keyword.at(-1);
  const isShort = keyword.length < 5 && word.length === keyword.length;
  return startsAlike && !goesOn && !(isShort && sortLetters(word) !== sortLetters(keyword));
}

function sortLetters(word: string): string {
  return Array.from(word).sort().join('');
}

/** Whether a table or column has the word for a name. */
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
