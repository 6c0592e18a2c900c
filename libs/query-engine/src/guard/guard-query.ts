import { bindParams } from './bind-params.js';
import { checkGrouping } from './check-grouping.js';
import { checkTokens } from './check-tokens.js';
import { checkSearches } from '../cost/check-searches.js';
import { nameStatement } from '../cost/read-traits.js';
import { expandStars } from './expand-stars.js';
import { findWriteWords, readWrite, type WriteVerb } from './guard-write.js';
import { lexSql } from '../lexer/lex-sql.js';
import { unknownTable, type KnownNames, type ReadContext } from './read-context.js';
import { foldName, isNameToken, nameOf } from '../lexer/names.js';
import { readQueryExpression } from './read-query-expression.js';
import { findSubstitutions, rewrite } from './rewrite-text.js';
import { invalidSql, notAllowed } from '../lexer/sql-fault.js';
import { OTHER_STATEMENTS } from '../lexer/sql-words.js';
import { TokenCursor } from '../lexer/token-cursor.js';
import type { GuardedQuery, GuardedRead, GuardOptions, SqlToken, WriteRights } from '../types.js';

/**
 * Checks a text for the query endpoint. The rights of the database account that runs the statement are a
 * second check, independent of this one.
 *
 * @throws AppError 403 `query.not_allowed`, or 400 `query.invalid_sql` or `query.unknown_table`, with line
 *   and column and, for the last, suggestions; 422 `body.invalid` for params
 */
export function guardQuery(text: string, options: GuardOptions): GuardedQuery {
  const tokens = trimSemicolon(dropComments(lexSql(text)));
  const first = tokens[0];
  if (first === undefined) throw invalidSql('The text contains no statement.', { line: 1, column: 1 });
  const names = toKnownNames(options);
  const verb = first.kind === 'word' ? WRITE_VERBS.get(first.value) : undefined;
  if (verb !== undefined) {
    const { writes = 'unsupported' } = options;
    if (writes === 'unsupported') throw rejectStatement(first);
    if (writes === 'forbidden')
      throw notAllowed(
        `${first.value} requires a key with the scope query:write.`,
        first,
        'Use the table endpoints, or create a key with this scope.',
      );
    return guardWrite(verb, text, tokens, { ...names, isWrite: true }, options, writes);
  }
  checkTokens(tokens, names);
  const cursor = new TokenCursor(tokens);
  switch (first.kind === 'word' ? first.value : first.text) {
    case 'SELECT':
    case 'WITH':
    case 'VALUES':
    case '(':
      return guardRead('select', { text, tokens, cursor, names, options });
    case 'EXPLAIN':
    case 'DESCRIBE':
    case 'DESC':
      return guardExplain({ text, tokens, cursor, names, options });
    case 'SHOW':
      return guardShow(cursor, names);
    default:
      throw rejectStatement(first);
  }
}

function toKnownNames(options: GuardOptions): KnownNames {
  return {
    tables: new Set(options.tables),
    hidden: new Set(options.hiddenNames.map(foldName)),
    schemaName: options.schemaName,
    isOpen: false,
    ...(options.partial === undefined ? {} : { partial: options.partial }),
  };
}

function rejectStatement(first: SqlToken): Error {
  if (first.kind === 'word' && OTHER_STATEMENTS.has(first.value)) {
    const hint = WRITE_VERBS.has(first.value)
      ? 'Use the table endpoints, or a key with the scope query:write.'
      : 'Send a SELECT. Use the table endpoints to write rows.';
    return notAllowed(`${first.value} is not allowed. This endpoint only reads.`, first, hint);
  }
  return invalidSql('A query must begin with SELECT, WITH, VALUES or "(".', first);
}

const WRITE_VERBS: ReadonlyMap<string, WriteVerb> = new Map([
  ['INSERT', 'insert'],
  ['UPDATE', 'update'],
  ['DELETE', 'delete'],
]);

function guardWrite(
  kind: WriteVerb,
  text: string,
  tokens: readonly SqlToken[],
  names: KnownNames,
  options: GuardOptions,
  rights: WriteRights,
): GuardedQuery {
  checkTokens(tokens, names, findWriteWords(tokens));
  const ctx = makeContext(new TokenCursor(tokens), names);
  const { targets, hasRows } = readWrite(ctx, rights);
  checkQualifiers(ctx);
  return { kind, targets, hasRows, ...toRunnable(text, tokens, ctx, options) };
}

/** A statement that reads data, before it is parsed. */
interface ReadStatement {
  readonly text: string;
  readonly tokens: readonly SqlToken[];
  readonly cursor: TokenCursor;
  readonly names: KnownNames;
  readonly options: GuardOptions;
}

function guardRead(kind: 'select' | 'explain', statement: ReadStatement): GuardedQuery {
  const { text, tokens, options } = statement;
  const ctx = readQuery(statement.cursor, statement.names);
  checkQualifiers(ctx);
  return { kind, ...toRunnable(text, tokens, ctx, options) };
}

function toRunnable(
  text: string,
  tokens: readonly SqlToken[],
  ctx: ReadContext,
  options: GuardOptions,
): Omit<GuardedRead, 'kind'> {
  if (options.groupingTables !== undefined) checkGrouping(ctx, tokens, options.groupingTables);
  const placeholders = tokens.filter((token) => token.kind === 'parameter');
  const params = bindParams(placeholders, options.params);
  checkSearches(tokens, params);
  const substitutions = findSubstitutions(ctx, text);
  const sql = rewrite(text, tokens, expandStars(ctx, NO_SUBSTITUTIONS));
  return {
    text,
    sql,
    runSql:
      substitutions.byToken.size === 0
        ? sql
        : rewrite(
            text,
            tokens,
            new Map([...expandStars(ctx, substitutions.byToken), ...substitutions.byToken]),
          ),
    substitutions: substitutions.byName,
    params,
    tables: [...ctx.tables].sort(),
    shape: nameStatement(tokens),
    aliases: listAliases(ctx, substitutions.byToken),
  };
}

/**
 * Returns the tables and views by the alias that the text for the server uses. Ambiguous aliases are omitted.
 */
function listAliases(
  { selects }: ReadContext,
  substitutions: ReadonlyMap<SqlToken, string>,
): ReadonlyMap<string, string> {
  /** Maps each alias to its table. Null for an alias that several tables have. */
  const tableByAlias = new Map<string, string | null>();
  for (const { token, name, table } of selects.flatMap((select) => select.factors)) {
    const alias = (token === null ? undefined : substitutions.get(token)?.replaceAll('`', '')) ?? name;
    tableByAlias.set(alias, tableByAlias.has(alias) && tableByAlias.get(alias) !== table ? null : table);
  }
  return new Map(
    [...tableByAlias].flatMap(([alias, table]) => (table === null ? [] : [[alias, table] as const])),
  );
}

const NO_SUBSTITUTIONS: ReadonlyMap<SqlToken, string> = new Map();

/** Parses one complete query. */
export function readQuery(cursor: TokenCursor, names: KnownNames): ReadContext {
  const ctx = makeContext(cursor, names);
  readQueryExpression(ctx, null);
  if (!cursor.isAtEnd()) throw cursor.unexpected('the end of the statement');
  return ctx;
}

function makeContext(cursor: TokenCursor, names: KnownNames): ReadContext {
  return {
    cursor,
    names,
    tables: new Set(),
    qualifiers: new Set(),
    givenNames: new Set(),
    columns: [],
    unknownTables: [],
    borrowed: new Set(),
    selects: [],
    openSelects: [],
  };
}

/** Rejects a `qualifier.column` whose qualifier is neither a table nor an alias of the statement. */
function checkQualifiers(ctx: ReadContext): void {
  for (const { qualifier } of ctx.columns) {
    if (qualifier !== null && !ctx.qualifiers.has(foldName(nameOf(qualifier)))) {
      throw unknownTable(ctx.names, nameOf(qualifier), qualifier);
    }
  }
}

const QUERY_STARTS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES']);

/** Checks the EXPLAIN of a query, or the DESCRIBE of a table. */
function guardExplain(statement: ReadStatement): GuardedQuery {
  const { cursor, names } = statement;
  const verb = cursor.next();
  if (cursor.isWord('FORMAT') && cursor.isOperator('=', 1)) {
    cursor.next();
    cursor.next();
    const format = cursor.next();
    if (format.kind !== 'word' || !['JSON', 'TREE', 'TRADITIONAL'].includes(format.value)) {
      throw invalidSql('The format of EXPLAIN must be JSON, TREE or TRADITIONAL.', format);
    }
  } else if (cursor.isWord('EXTENDED') || cursor.isWord('PARTITIONS')) cursor.next();
  if (cursor.isAnyWord(QUERY_STARTS) || cursor.isOperator('(')) {
    return guardRead('explain', statement);
  }
  const token = cursor.peek();
  if (token?.kind === 'word' && (token.value === 'FOR' || OTHER_STATEMENTS.has(token.value))) {
    throw notAllowed(`EXPLAIN ${token.value} is not allowed. Only reads can be explained.`, token);
  }
  if (!isNameToken(token)) throw cursor.unexpected(verb.value === 'EXPLAIN' ? 'SELECT' : 'a table name');
  return describeTable(cursor, names);
}

function describeTable(cursor: TokenCursor, names: KnownNames): GuardedQuery {
  const first = cursor.next();
  let token = first;
  if (cursor.takeOperator('.')) {
    token = cursor.next();
    if (nameOf(first) !== names.schemaName)
      throw notAllowed(`"${nameOf(first)}" is not a schema that this key can read.`, first);
  }
  if (!isNameToken(token)) throw invalidSql('Expected a table name.', token);
  if (!names.tables.has(nameOf(token))) throw unknownTable(names, nameOf(token), token);
  const column = cursor.isAtEnd() ? null : cursor.next();
  if (column !== null && !isNameToken(column)) throw invalidSql('Expected a column name.', column);
  if (!cursor.isAtEnd()) throw cursor.unexpected('the end of the statement');
  return { kind: 'describe', table: nameOf(token), column: column === null ? null : nameOf(column) };
}

/**
 * Accepts SHOW [FULL] TABLES [LIKE '…'] and SHOW [FULL] COLUMNS|FIELDS FROM|IN table. Rejects every other
 * SHOW statement.
 */
function guardShow(cursor: TokenCursor, names: KnownNames): GuardedQuery {
  const verb = cursor.next();
  cursor.takeWord('FULL');
  if (cursor.takeWord('TABLES')) {
    let like: string | null = null;
    if (cursor.takeWord('LIKE')) {
      const pattern = cursor.next();
      if (pattern.kind !== 'string') throw invalidSql('Expected a quoted pattern after LIKE.', pattern);
      like = pattern.value;
    }
    if (!cursor.isAtEnd()) throw cursor.unexpected('the end of the statement');
    return { kind: 'show_tables', like };
  }
  if (cursor.takeWord('COLUMNS') || cursor.takeWord('FIELDS')) {
    if (!cursor.takeWord('FROM') && !cursor.takeWord('IN')) throw cursor.unexpected('FROM and a table name');
    return describeTable(cursor, names);
  }
  throw notAllowed('Only SHOW TABLES and SHOW COLUMNS FROM a table are supported.', verb);
}

/** Removes comments from a list of tokens. Throws 403 for a comment whose text a server may execute. */
export function dropComments(tokens: readonly SqlToken[]): SqlToken[] {
  return tokens.filter((token) => {
    if (token.kind === 'comment' && token.comment !== 'plain') {
      throw notAllowed('Comments that a server may run (/*!, /*M!, /*+) are not allowed.', token);
    }
    return token.kind !== 'comment';
  });
}

/** Removes a semicolon at the end of a list of tokens. */
export function trimSemicolon(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const last = tokens.at(-1);
  return last?.kind === 'operator' && last.value === ';' ? tokens.slice(0, -1) : tokens;
}
