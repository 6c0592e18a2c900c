import { AppError, nearestNames } from '@rowhouse/errors';
import { dropComments, readQuery, trimSemicolon } from '../guard/guard-query.js';
import type { ReadContext } from '../guard/read-context.js';
import { lexSql } from '../lexer/lex-sql.js';
import { foldName, isNameToken, nameOf } from '../lexer/names.js';
import { RESERVED_WORDS, wordSet } from '../lexer/sql-words.js';
import { TokenCursor } from '../lexer/token-cursor.js';
import type { RouteSchema, SqlToken } from '../types.js';

/** A fault in the model's SQL that is found without a server, with similar names as suggestions. */
export interface ModelSqlFault {
  readonly kind: 'table' | 'column' | 'dialect';
  /** A sentence that names the affected parts of the statement and of the schema. */
  readonly message: string;
  readonly similarNames: readonly string[];
}

/**
 * The maximum number of faults of each kind. Each unknown name is compared with all names, and a text may
 * contain thousands of them.
 */
const FAULTS_MAX = 20;

/**
 * Finds names that the schema does not contain, and constructs of other databases that have another meaning
 * here. Returns nothing for a malformed text, for which the guard reports an error.
 */
export function checkModelSql(sql: string, schema: RouteSchema): ModelSqlFault[] {
  let tokens: readonly SqlToken[] = [];
  let ctx: ReadContext;
  try {
    tokens = trimSemicolon(dropComments(lexSql(sql)));
    ctx = readQuery(new TokenCursor(tokens), {
      tables: new Set(schema.tables.map((table) => table.name)),
      hidden: new Set(),
      schemaName: '',
      isOpen: true,
    });
  } catch (error) {
    if (error instanceof AppError) return listDialectFaults(tokens, new Set());
    throw error;
  }
  const tables = ctx.unknownTables.slice(0, FAULTS_MAX).map((token) => unknownTable(nameOf(token), schema));
  const columns = tables.length > 0 ? [] : listUnknownColumns(ctx, tokens, schema);
  return [...tables, ...columns, ...listDialectFaults(tokens, listNames(ctx, schema))];
}

function unknownTable(name: string, schema: RouteSchema): ModelSqlFault {
  const similarNames = nearestNames(
    name,
    schema.tables.map((table) => table.name),
  );
  return { kind: 'table', message: `Unknown table ${name}.`, similarNames };
}

function listUnknownColumns(
  ctx: ReadContext,
  tokens: readonly SqlToken[],
  schema: RouteSchema,
): ModelSqlFault[] {
  const columnsOf = new Map(schema.tables.map((table) => [table.name, table.columns]));
  const used = [...ctx.tables].flatMap((name) => columnsOf.get(name) ?? []);
  const free = new Set([...used.map(foldName), ...ctx.givenNames, ...ctx.qualifiers]);
  const aliases = findAliases(tokens, columnsOf);
  const faults = new Map<string, ModelSqlFault>();
  for (const { qualifier, name } of ctx.columns) {
    if (!isNameToken(name)) continue;
    const column = nameOf(name);
    const scope = qualifier === null ? null : (aliases.get(foldName(nameOf(qualifier))) ?? null);
    // The columns of a subquery are those that it selects, so they are not checked here.
    if (qualifier !== null && scope === null) continue;
    const isKnown =
      scope === null
        ? free.has(foldName(column))
        : scope.some((table) =>
            (columnsOf.get(table) ?? []).some((item) => foldName(item) === foldName(column)),
          );
    if (isKnown) continue;
    const known = scope === null ? used : scope.flatMap((table) => columnsOf.get(table) ?? []);
    const where = scope === null ? 'the tables of this query' : scope.join(' or ');
    if (faults.size >= FAULTS_MAX) break;
    faults.set(`${where} ${column}`, {
      kind: 'column',
      message: `Unknown column ${column} in ${where}.`,
      similarNames: nearestNames(column, [...new Set(known)]),
    });
  }
  return [...faults.values()];
}

const BEFORE_TABLE: ReadonlySet<string> = wordSet('FROM JOIN STRAIGHT_JOIN , ( .');

/** Returns the qualifiers that can only be base tables, each with the tables it may refer to. */
function findAliases(
  tokens: readonly SqlToken[],
  columnsOf: ReadonlyMap<string, readonly string[]>,
): Map<string, string[]> {
  const aliases = new Map<string, string[]>();
  const derived = new Set<string>();
  const note = (name: string, table: string): void =>
    void aliases.set(foldName(name), [...(aliases.get(foldName(name)) ?? []), table]);
  for (const [index, token] of tokens.entries()) {
    if (!isNameToken(token)) continue;
    const before = tokens[index - 1];
    const following = tokens[index + 1];
    // The forms `) AS x`, `) x` and `x AS (` define the name of a subquery.
    if (
      (before?.value === ')' || (before?.value === 'AS' && tokens[index - 2]?.value === ')')) &&
      !isReserved(token)
    )
      derived.add(foldName(nameOf(token)));
    if (following?.value === '(' || (following?.value === 'AS' && tokens[index + 2]?.value === '('))
      derived.add(foldName(nameOf(token)));
    const table = nameOf(token);
    if (!columnsOf.has(table) || before === undefined || !BEFORE_TABLE.has(before.value)) continue;
    note(table, table);
    const alias = following?.value === 'AS' ? tokens[index + 2] : following;
    if (isNameToken(alias) && !isReserved(alias)) note(nameOf(alias), table);
  }
  for (const name of derived) aliases.delete(name);
  return aliases;
}

function isReserved(token: SqlToken): boolean {
  return token.kind === 'word' && RESERVED_WORDS.has(token.value);
}

/** Returns the folded names of everything to which a name in double quotes could refer. */
function listNames(ctx: ReadContext, schema: RouteSchema): ReadonlySet<string> {
  const used = schema.tables.filter((table) => ctx.tables.has(table.name));
  return new Set([
    ...used.flatMap((table) => [table.name, ...table.columns]).map(foldName),
    ...ctx.givenNames,
    ...ctx.qualifiers,
  ]);
}

/**
 * Finds constructs of other SQL dialects that this server accepts with another meaning, so that their result
 * would be wrong.
 *
 * @param names the folded names that the statement can refer to
 */
function listDialectFaults(tokens: readonly SqlToken[], names: ReadonlySet<string>): ModelSqlFault[] {
  const messages = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const following = tokens[index + 1];
    if (token.kind === 'string' && token.text.startsWith('"') && names.has(foldName(token.value)))
      messages.add(
        `"${token.value}" in double quotes is a text, not a name. Use backquotes for a name and single quotes for a text.`,
      );
    if (token.kind === 'operator' && token.value === '||')
      messages.add('|| is a logical OR. Join texts with CONCAT(), or write OR.');
    if (
      token.kind === 'operator' &&
      token.value === '+' &&
      (before?.kind === 'string' || following?.kind === 'string')
    )
      messages.add('+ only adds numbers. Join texts with CONCAT().');
    if (
      token.kind === 'word' &&
      token.value === 'FULL' &&
      (following?.value === 'JOIN' || following?.value === 'OUTER')
    )
      messages.add('FULL JOIN is not supported. Use LEFT JOIN, UNION and RIGHT JOIN.');
  }
  return [...messages].map((message) => ({ kind: 'dialect', message, similarNames: [] }));
}
