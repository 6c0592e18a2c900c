import { wordSet } from '../lexer/sql-words.js';
import { AppError } from '@rowhouse/errors';
import { isCommandForm } from './command-forms.js';
import { findMisspeltWords, misspeltError } from './find-misspelt-words.js';
import { readQuery } from '../guard/guard-query.js';
import { lexSql, QUERY_BOUNDS } from '../lexer/lex-sql.js';
import { normaliseQuery } from './normalise-query.js';
import { type KnownNames, type ReadContext } from '../guard/read-context.js';
import { foldName, nameOf } from '../lexer/names.js';
import { commentOpeningAt, isSpaceUnit, skipComment } from '../lexer/scan-text.js';
import { namesOf } from './schema-names.js';
import { hasStrongForm, isBareForm, isKnownList, isProse, isTable, listsTables } from './sql-forms.js';
import { TokenCursor } from '../lexer/token-cursor.js';
import type { QueryRoute, RouteSchema, SqlToken } from '../types.js';

/**
 * Decides whether a text is SQL or a question. A text is SQL if it parses as SQL with names of the schema.
 * The first word is not sufficient: `select users`, `describe our revenue` and `with which card …` are
 * questions. The guard checks the returned SQL afterwards. Never throws.
 */
export function routeQuery(text: string, schema: RouteSchema): QueryRoute {
  if (text.length > QUERY_BOUNDS.bytesMax * 2) {
    return {
      kind: 'invalid',
      error: new AppError('query.invalid_sql', {
        detail: `The query is longer than ${QUERY_BOUNDS.bytesMax} bytes.`,
      }),
    };
  }
  const query = normaliseQuery(text);
  if (query === '') {
    return {
      kind: 'invalid',
      error: new AppError('query.invalid_sql', {
        detail: 'The query is empty.',
        extra: { line: 1, column: 1 },
      }),
    };
  }
  const route = routeAsWritten(query, schema);
  if (route.kind === 'sql') return route;
  const [first, ...others] = findMisspeltWords(
    query,
    schema,
    (repaired) => routeAsWritten(repaired, schema).kind === 'sql',
  );
  if (first !== undefined) return { kind: 'invalid', error: misspeltError([first, ...others]) };
  return route.kind === 'question' && isMisspeltSelect(query, schema) ? { kind: 'sql', sql: query } : route;
}

function routeAsWritten(query: string, schema: RouteSchema): QueryRoute {
  const tokens = tryLex(query);
  if (tokens instanceof AppError) return routeUnreadable(query, tokens, schema);
  // Prose contains neither executable comments nor variables.
  if (
    tokens.some((token) => token.kind === 'variable' || (token.comment !== null && token.comment !== 'plain'))
  ) {
    return looksLikeStatement(query) ? { kind: 'sql', sql: query } : { kind: 'question', question: query };
  }
  const words = firstStatement(tokens.filter((token) => token.kind !== 'comment'));
  // A text after EXPLAIN is classified in the same way as without EXPLAIN.
  const explained = skipExplain(words);
  const isSql = startsQuery(explained)
    ? isQueryHere(explained, query.slice(explained[0]?.start), schema)
    : isCommandForm(words, schema);
  if (isSql instanceof AppError) return { kind: 'invalid', error: isSql };
  return isSql ? { kind: 'sql', sql: query } : { kind: 'question', question: query };
}

/**
 * Returns the tokens of the first statement, which decides about the whole text. The guard rejects several
 * statements.
 */
function firstStatement(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const start = tokens.findIndex((token) => token.value !== ';' || token.kind !== 'operator');
  const end = tokens.findIndex(
    (token, index) => index > start && token.kind === 'operator' && token.value === ';',
  );
  return tokens.slice(Math.max(0, start), end === -1 ? undefined : end);
}

function tryLex(text: string): SqlToken[] | AppError {
  try {
    return lexSql(text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const STATEMENT_WORDS: ReadonlySet<string> = wordSet(`
  SELECT WITH VALUES INSERT UPDATE DELETE REPLACE SET SHOW CALL DO EXPLAIN PREPARE EXECUTE BEGIN GRANT GET
`);

function looksLikeStatement(text: string): boolean {
  const body = skipOpening(text);
  return body.startsWith('/*') || STATEMENT_WORDS.has((/^[a-z]*/i.exec(body)?.[0] ?? '').toUpperCase());
}

/**
 * Removes white space, opening parentheses and plain comments from the start of a text. An executable comment
 * is not removed.
 */
function skipOpening(text: string): string {
  let offset = 0;
  for (;;) {
    const unit = text.charCodeAt(offset);
    const opening = commentOpeningAt(text, offset);
    if (isSpaceUnit(unit) || unit === 0x28) offset += 1;
    else if (opening === 'line' || opening === 'block') {
      const end = skipComment(text, offset, opening);
      if (end === -1) return text.slice(offset);
      offset = end;
    } else return text.slice(offset);
  }
}

/** Decides about a text that cannot be split into tokens. It is prose with an apostrophe, or broken SQL. */
function routeUnreadable(query: string, error: AppError, schema: RouteSchema): QueryRoute {
  const isSql =
    hasStrongStart(query) ||
    (looksLikeStatement(query) && hasSqlMarks(query) && namesTableBehindFrom(query, schema));
  const isCommand = isCommandUpTo(query, error, schema);
  const isControl = /[\0-\u0008\u000e-\u001f]/.test(query) && looksLikeStatement(query);
  return isSql || isCommand || isControl ? { kind: 'invalid', error } : { kind: 'question', question: query };
}

/** The number of tokens in `INSERT INTO name (`. A shorter text may also be the beginning of a sentence. */
const COMMAND_TOKENS_MIN = 4;

/**
 * Reports whether the text up to a lexical error, such as an unclosed string, has the form of a statement
 * other than a query.
 */
function isCommandUpTo(query: string, error: AppError, schema: RouteSchema): boolean {
  const { line, column } = error.extra ?? {};
  if (typeof line !== 'number' || typeof column !== 'number') return false;
  const lines = query.split('\n');
  const offset = lines.slice(0, line - 1).reduce((sum, item) => sum + item.length + 1, 0) + column - 1;
  const tokens = tryLex(query.slice(0, offset));
  if (tokens instanceof AppError) return false;
  const words = firstStatement(tokens.filter((token) => token.kind !== 'comment'));
  return words.length >= COMMAND_TOKENS_MIN && isCommandForm(words, schema);
}

const STRONG_START =
  /^(?:select\s*(?:[*`"'({?\d.-]|(?:distinct\s+)?\w+(?:[(.]|\s*\(\s*[*\d'")]|\s*(?:[=<>*]|:=)))|with\s+(?:recursive\s+)?[\w`]+\s*(?:\([^)]*\)\s*)?as\s*\(|values\s*\()/i;

/** Reports whether a text begins in a way in which no English sentence begins. */
function hasStrongStart(text: string): boolean {
  return STRONG_START.test(skipOpening(text));
}

const EXPLAIN_WORDS: ReadonlySet<string> = new Set(['EXPLAIN', 'DESCRIBE', 'DESC']);

function startsQuery(tokens: readonly SqlToken[]): boolean {
  const first = tokens.find((token) => token.value !== '(' || token.kind !== 'operator');
  if (first?.kind !== 'word') return false;
  return (
    first.value === 'SELECT' ||
    first.value === 'WITH' ||
    first.value === 'VALUES' ||
    (first.value === 'TABLE' && first !== tokens[0])
  );
}

/** Removes `EXPLAIN`, `EXPLAIN FORMAT = x`, `EXPLAIN EXTENDED` or `EXPLAIN PARTITIONS` from the start. */
function skipExplain(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const [first, second, third] = tokens;
  if (first?.kind !== 'word' || !EXPLAIN_WORDS.has(first.value) || second?.kind === 'quoted') return tokens;
  if (second?.value === 'FORMAT' && third?.value === '=') return tokens.slice(4);
  return tokens.slice(second?.value === 'EXTENDED' || second?.value === 'PARTITIONS' ? 2 : 1);
}

/** Recognizes a text such as `choose * from users`, which is a query with a wrong verb. */
function isMisspeltSelect(query: string, schema: RouteSchema): boolean {
  const tokens = tryLex(query);
  if (tokens instanceof AppError) return false;
  const [first, star, from, name] = tokens.filter((token) => token.kind !== 'comment');
  return (
    first?.kind === 'word' &&
    star?.value === '*' &&
    from?.kind === 'word' &&
    from.value === 'FROM' &&
    isTable(name, schema)
  );
}

/** Decides about a text that begins like a query. If it is SQL but invalid, returns the error. */
function isQueryHere(tokens: readonly SqlToken[], query: string, schema: RouteSchema): boolean | AppError {
  const names: KnownNames = {
    tables: new Set(schema.tables.map((table) => table.name)),
    hidden: new Set(),
    schemaName: '',
    isOpen: true,
  };
  let ctx: ReadContext;
  try {
    ctx = readQuery(new TokenCursor(tokens), names);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Locks, INTO and several statements are forbidden by the guard, but the text is still SQL.
    const isSql =
      hasStrongStart(query) ||
      (hasSqlMarks(query) && (namesTableBehindFrom(query, schema) || hasFromList(tokens))) ||
      isKnownList(tokens, schema);
    if (error.code === 'query.not_allowed') return isSql;
    return isSql
      ? isForbiddenForm(tokens) || error
      : isForbiddenForm(tokens) && namesTableBehindFrom(query, schema);
  }
  return bindsToSchema(ctx, tokens, schema);
}

const FORBIDDEN_WORDS: ReadonlySet<string> = wordSet(
  'INTO UPDATE OUTFILE PROCEDURE LOCK DELETE INSERT SHARE',
);

/**
 * Reports whether the text has a form that the guard forbids. The guard then rejects it with status 403 and
 * the reason.
 */
function isForbiddenForm(tokens: readonly SqlToken[]): boolean {
  return tokens.some(
    (token) => (token.kind === 'word' && FORBIDDEN_WORDS.has(token.value)) || token.value === ';',
  );
}

function bindsToSchema(ctx: ReadContext, tokens: readonly SqlToken[], schema: RouteSchema): boolean {
  const { tables } = namesOf(schema);
  const unknown = ctx.unknownTables.filter((token) => !tables.has(foldName(nameOf(token))));
  const used = [...ctx.tables, ...ctx.unknownTables.map(nameOf)];
  const columns = new Set([...ctx.givenNames, ...ctx.qualifiers]);
  for (const name of used)
    for (const column of tables.get(foldName(name))?.columns ?? []) columns.add(foldName(column));
  const unbound = ctx.columns.filter(
    (column) =>
      column.qualifier === null && column.name.kind === 'word' && !columns.has(foldName(nameOf(column.name))),
  );
  if (used.length === 0 && isProse(tokens, unbound.length > 0, schema)) return false;
  if (unknown.length === 0 && unbound.length === 0) return true;
  if (used.length === 0) return hasStrongForm(tokens, schema);
  if (unknown.length > 0 && listsTables(tokens, schema)) return false;
  // A text with a misspelled table or column is SQL if no part of it reads like prose.
  return (
    hasStrongForm(tokens, schema) ||
    (unknown.length === 0 && unbound.length < ctx.columns.length) ||
    isBareForm(tokens, schema)
  );
}

function hasSqlMarks(text: string): boolean {
  return /[*=<>`;]|\w\(|\w\.\w|\bas\s+\w+\s*\(|\b(?:where|join|group\s+by|order\s+by|union|limit\s+\d)\b/i.test(
    text,
  );
}

/** Recognizes FROM with a name that is the last token, or that precedes a comma, a clause or a join. */
function hasFromList(tokens: readonly SqlToken[]): boolean {
  return tokens.some((token, index) => {
    if (token.kind !== 'word' || token.value !== 'FROM') return false;
    const name = tokens[index + 1];
    return name?.kind === 'quoted' || (name?.kind === 'word' && tokens[index + 2]?.value === '.');
  });
}

function namesTableBehindFrom(text: string, schema: RouteSchema): boolean {
  const { tables } = namesOf(schema);
  for (const match of text.matchAll(/\b(?:from|join|into|update)\s+`?([\w$\u0080-\uffff]+)`?/gi)) {
    if (tables.has(foldName(match[1] ?? ''))) return true;
  }
  return false;
}
