import { wordSet } from '../lexer/sql-words.js';
import { AppError } from '@rowhouse/errors';
import type { ColumnReference, ReadContext, SelectNote, TableFactor, TextRange } from './read-context.js';
import { foldName, isNameToken, nameOf } from '../lexer/names.js';
import type { GroupingTable, SqlToken } from '../types.js';

/** Functions whose arguments do not have to depend on the grouped columns. */
const AGGREGATES: ReadonlySet<string> = wordSet(`
  ANY_VALUE AVG BIT_AND BIT_OR BIT_XOR COUNT GROUP_CONCAT JSON_ARRAYAGG JSON_OBJECTAGG MAX MIN STD STDDEV
  STDDEV_POP STDDEV_SAMP SUM VARIANCE VAR_POP VAR_SAMP
`);
/** Words that change the meaning of a group or compute over groups. */
const OTHER_GROUPING: ReadonlySet<string> = wordSet('ROLLUP OVER GROUPING WINDOW MEDIAN WITHIN');
const SET_WORDS: ReadonlySet<string> = new Set(['UNION', 'EXCEPT', 'INTERSECT']);

/**
 * A column of a table in FROM, written as the position of the table and the folded name of the column:
 * `position.name`.
 */
type ColumnId = string;

/**
 * Rejects a selected column that does not depend on the grouped columns. MySQL itself does this with
 * ONLY_FULL_GROUP_BY. MariaDB does not recognize functional dependencies, so it runs without this mode (ADR
 * 45). A dependency is assumed wherever one is possible, so everything that MySQL accepts is accepted.
 * SELECTs over views and nested queries are not checked.
 *
 * @throws AppError `query.invalid_sql`
 */
export function checkGrouping(
  ctx: ReadContext,
  tokens: readonly SqlToken[],
  tables: (name: string) => GroupingTable | null,
): void {
  const hasSetOperator = tokens.some((token) => token.kind === 'word' && SET_WORDS.has(token.value));
  for (const select of ctx.selects) {
    const own = tokens.filter(
      (token) =>
        isWithin(token, select.range) &&
        !ctx.selects.some((other) => isInner(other, select) && isWithin(token, other.range)),
    );
    checkSelect(select, own, ctx.columns, tables, hasSetOperator);
  }
}

function checkSelect(
  select: SelectNote,
  own: readonly SqlToken[],
  columns: readonly ColumnReference[],
  tables: (name: string) => GroupingTable | null,
  hasSetOperator: boolean,
): void {
  const { list, group, having, order } = select.clauses;
  if (
    list === null ||
    select.isMerged ||
    select.stars.length > 0 ||
    own.some((token) => token.kind === 'word' && OTHER_GROUPING.has(token.value))
  )
    return;
  const aggregates = findAggregates(own);
  if (group === null && !aggregates.some((range) => isInside(range, list) || isInside(range, having))) return;
  const scope = openScope(select.factors, tables);
  if (scope === null) return;
  const ownStarts = new Set(own.map((token) => token.start));
  const references = columns.filter(({ name }) => ownStarts.has(name.start));
  const items = splitList(own.filter((token) => isWithin(token, list)));
  const determined = new Set<ColumnId>();
  if (group !== null)
    for (const id of listGrouped(
      own.filter((token) => isWithin(token, group)),
      items,
      references,
      scope,
    ))
      determined.add(id);
  closeOver(determined, findEqualities(own, select, references, scope), scope);
  const checked = group === null ? [list] : [list, having, hasSetOperator ? null : order];
  const aliases = new Set(items.flatMap(({ alias }) => (alias === null ? [] : [alias])));
  for (const reference of references) {
    if (
      !checked.some((range) => isWithin(reference.name, range)) ||
      aggregates.some((range) => isWithin(reference.name, range))
    )
      continue;
    if (
      reference.qualifier === null &&
      !isWithin(reference.name, list) &&
      aliases.has(foldName(nameOf(reference.name)))
    )
      continue;
    const ids = resolve(reference, scope);
    if (ids.length === 1 && !determined.has(ids[0] as ColumnId)) throw notGrouped(reference);
  }
}

function notGrouped({ qualifier, name }: ColumnReference): AppError {
  const visible = qualifier === null ? nameOf(name) : `${nameOf(qualifier)}.${nameOf(name)}`;
  return new AppError('query.invalid_sql', {
    detail: `The column ${visible} is neither grouped nor aggregated (line ${name.line}, column ${name.column}).`,
    hint: `A group may have several values. Add ${visible} to GROUP BY, or select MIN(${visible}).`,
    extra: { line: name.line, column: name.column },
  });
}

interface Scope {
  readonly factors: readonly { readonly name: string; readonly table: GroupingTable }[];
}

/**
 * Returns the tables of FROM with their columns. Returns null if FROM contains anything except base tables,
 * or two tables with the same name.
 */
function openScope(
  factors: readonly TableFactor[],
  tables: (name: string) => GroupingTable | null,
): Scope | null {
  const known: { name: string; table: GroupingTable }[] = [];
  for (const { name, table } of factors) {
    const found = table === null ? null : tables(table);
    const folded = foldName(name);
    if (found === null || known.some((item) => item.name === folded)) return null;
    known.push({ name: folded, table: found });
  }
  return known.length === 0 ? null : { factors: known };
}

/**
 * Returns the columns to which a name may refer. Returns an empty list for an alias or a column of an outer
 * query.
 */
function resolve({ qualifier, name }: ColumnReference, { factors }: Scope): ColumnId[] {
  const column = foldName(nameOf(name));
  const of = qualifier === null ? null : foldName(nameOf(qualifier));
  return factors.flatMap((factor, position) =>
    (of === null || of === factor.name) && factor.table.columns.has(column) ? [`${position}.${column}`] : [],
  );
}

interface ListItem {
  readonly tokens: readonly SqlToken[];
  /** The folded alias of the item. Null if it has none. */
  readonly alias: string | null;
}

/** Splits tokens at the commas outside parentheses. */
function splitList(tokens: readonly SqlToken[]): ListItem[] {
  const items: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'operator') depth += token.value === '(' ? 1 : token.value === ')' ? -1 : 0;
    if (depth === 0 && token.kind === 'operator' && token.value === ',') items.push([]);
    else items.at(-1)?.push(token);
  }
  return items.map((item) => ({ tokens: item, alias: readAlias(item) }));
}

function readAlias(item: readonly SqlToken[]): string | null {
  const [before, last] = [item.at(-2), item.at(-1)];
  if (last === undefined || before === undefined || (before.kind === 'operator' && before.value !== ')'))
    return null;
  return isNameToken(last) ? foldName(nameOf(last)) : last.kind === 'string' ? foldName(last.value) : null;
}

/**
 * Returns the columns that GROUP BY names: directly, inside expressions, by an alias or by their position in
 * the list.
 */
function listGrouped(
  group: readonly SqlToken[],
  items: readonly ListItem[],
  references: readonly ColumnReference[],
  scope: Scope,
): ColumnId[] {
  const within = new Set(group);
  for (const { tokens } of splitList(group)) {
    const [only, ...others] = tokens;
    if (only === undefined || others.length > 0) continue;
    const name = isNameToken(only) ? foldName(nameOf(only)) : null;
    const meant =
      only.kind === 'number'
        ? [items[Number(only.value) - 1]]
        : items.filter((item) => name !== null && item.alias === name);
    for (const item of meant) for (const token of item?.tokens ?? []) within.add(token);
  }
  return references.filter(({ name }) => within.has(name)).flatMap((reference) => resolve(reference, scope));
}

/** Two columns that are compared for equality. `null` represents anything that is not a column. */
type Equality = readonly [ColumnId, ColumnId | null];

function findEqualities(
  own: readonly SqlToken[],
  select: SelectNote,
  references: readonly ColumnReference[],
  scope: Scope,
): Equality[] {
  const { from, where } = select.clauses;
  const byName = new Map(references.map((reference) => [reference.name, reference]));
  const idsEndingAt = (token: SqlToken | undefined): ColumnId[] =>
    token === undefined ? [] : resolveToken(byName.get(token), scope);
  const found: Equality[] = [];
  for (const [position, token] of own.entries()) {
    if (!isWithin(token, from) && !isWithin(token, where)) continue;
    const left = idsEndingAt(own[position - 1]);
    if (token.kind === 'word' && (token.value === 'IS' || token.value === 'IN'))
      found.push(...left.map((id) => [id, null] as const));
    if (token.kind !== 'operator' || (token.value !== '=' && token.value !== '<=>')) continue;
    const right = idsEndingAt(own[position + 2]?.value === '.' ? own[position + 3] : own[position + 1]);
    if (left.length === 0 || right.length === 0)
      found.push(...[...left, ...right].map((id) => [id, null] as const));
    for (const item of left) for (const other of right) found.push([item, other]);
  }
  return found;
}

function resolveToken(reference: ColumnReference | undefined, scope: Scope): ColumnId[] {
  return reference === undefined ? [] : resolve(reference, scope);
}

/** Adds all columns that are determined by keys and equalities, until no column is added. */
function closeOver(determined: Set<ColumnId>, equalities: readonly Equality[], { factors }: Scope): void {
  for (const [id, other] of equalities) if (other === null) determined.add(id);
  for (let before = -1; before !== determined.size;) {
    before = determined.size;
    for (const [item, other] of equalities) {
      if (other === null) continue;
      if (determined.has(item)) determined.add(other);
      if (determined.has(other)) determined.add(item);
    }
    for (const [position, { table }] of factors.entries()) {
      if (table.keys.some((key) => key.every((column) => determined.has(`${position}.${column}`))))
        for (const column of table.columns) determined.add(`${position}.${column}`);
      for (const column of table.generated) determined.add(`${position}.${column}`);
    }
  }
}

/** Returns the text range of each call of an aggregate function, from its name to the closing parenthesis. */
function findAggregates(own: readonly SqlToken[]): TextRange[] {
  const ranges: TextRange[] = [];
  for (const [position, token] of own.entries()) {
    if (
      token.kind !== 'word' ||
      !AGGREGATES.has(token.value) ||
      own[position + 1]?.value !== '(' ||
      own[position + 1]?.kind !== 'operator'
    )
      continue;
    let depth = 0;
    for (const following of own.slice(position + 1)) {
      if (following.kind === 'operator')
        depth += following.value === '(' ? 1 : following.value === ')' ? -1 : 0;
      if (depth > 0) continue;
      ranges.push({ start: token.start, end: following.end });
      break;
    }
  }
  return ranges;
}

function isWithin({ start }: Pick<SqlToken, 'start'>, range: TextRange | null): boolean {
  return range !== null && start >= range.start && start < range.end;
}

function isInside(inner: TextRange, outer: TextRange | null): boolean {
  return isWithin(inner, outer);
}

function isInner(other: SelectNote, select: SelectNote): boolean {
  return other !== select && other.range.start >= select.range.start && other.range.end <= select.range.end;
}
