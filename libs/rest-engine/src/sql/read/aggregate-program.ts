import { isWide, type CompiledColumn } from '@rowhouse/schema-model';
import type {
  AggregateFunction,
  AggregatePlan,
  DatePart,
  Output,
  OutputSort,
  OutputSource,
} from '../../plan/aggregate/aggregate-plan.js';
import type { Condition } from '../../plan/filter/condition.js';
import { digitsSql, type Extract, extractor, NUMBER_TYPES } from '../condition/json-conditions.js';
import { jsonOrderSql } from './json-order.js';
import { placeColumn } from './select-list.js';
import type { BoundValue } from '../../values/cell.js';
import type { ResultShape, Statement, StatementProgram } from '../statement.js';
import { digestSql } from './keyset.js';
import { toOneJoins, type ToOneJoins } from '../condition/related.js';
import { conditionSql, whereSql } from '../condition/where.js';

/**
 * The magnitude below which numbers are summed exactly. The DECIMAL has 35 digits before the point, because a
 * sum is larger than its numbers.
 */
const EXACT_BELOW = '1e25';

const EXACT_TYPE = 'DECIMAL(65,30)';

/**
 * Returns the statements of an aggregate request. They read one row more than the limit, to find out whether
 * there is a next page.
 */
export function aggregateProgram(plan: AggregatePlan): StatementProgram {
  const statements = plan.isCounted ? [rowsStatement(plan), countStatement(plan)] : [rowsStatement(plan)];
  return { transaction: 'none', first: { statements, isOrdered: false }, next: () => null };
}

function rowsStatement(plan: AggregatePlan): Statement {
  const { having, outputs, window } = plan;
  const params: BoundValue[] = [];
  // MySQL does not recognize that a digest of a grouped text is the same for the whole group.
  const isComplete =
    having === null &&
    plan.ties.length === 0 &&
    !plan.sort.some((key) => key.reversesNulls || isInside(key.output));
  const text = isComplete
    ? groupedSql(plan, false, params)
    : `SELECT ${outputs.map((_, index) => nameOf(index)).join(', ')} FROM ${retainedSql(plan, params)}`;
  // Sorts by the position of the output column, because the server may not recognize an expression in ORDER
  // BY as one of the grouped expressions.
  const keys = plan.sort.map((key) => orderSql(key, outputs.indexOf(key.output)));
  const order = [...keys, ...tiesSql(plan)].join(', ');
  params.push(String(window.limit + 1), ...(window.offset === 0 ? [] : [String(window.offset)]));
  const sql = `${text}${order === '' ? '' : ` ORDER BY ${order}`} LIMIT ?${window.offset === 0 ? '' : ' OFFSET ?'}`;
  return { role: { kind: 'records' }, sql, params, shape: shapeOf(plan) };
}

function orderSql({ output, direction, reversesNulls }: OutputSort, index: number): string {
  const name = nameOf(index);
  if (output.kind === 'json') return jsonOrderSql({ reversesNulls }, () => name, direction, false);
  const nulls = reversesNulls ? `${name} IS NULL ${direction}, ` : '';
  return isInside(output) && output.kind === 'decimal'
    ? `${nulls}${name} + 0e0 ${direction}, ${jsonSumSql(name)} ${direction}`
    : `${nulls}${index + 1} ${direction}`;
}

/** Reports whether an output is computed from a value inside a JSON column. */
function isInside({ term }: Output): boolean {
  return term.kind !== 'count_records' && term.source.jsonPath !== undefined;
}

/** Returns the expression of an output, for comparisons between groups. */
function memberSql(outputs: readonly Output[], index: number): string {
  const output = outputs[index];
  return output !== undefined && output.kind === 'decimal' && isInside(output)
    ? jsonSumSql(nameOf(index))
    : nameOf(index);
}

function tiesSql({ ties, outputs }: AggregatePlan): string[] {
  return ties.length === 0 ? [] : [digestSql(ties.map((output) => nameOf(outputs.indexOf(output))))];
}

function countStatement(plan: AggregatePlan): Statement {
  const params: BoundValue[] = [];
  return {
    role: { kind: 'count' },
    sql: `SELECT COUNT(*) FROM ${retainedSql(plan, params)}`,
    params,
    shape: COUNT_SHAPE,
  };
}

const COUNT_SHAPE: ResultShape = Object.freeze({
  columns: [{ name: 'count', kind: 'integer', isOutput: false, column: null } as const],
  keys: [0],
});

function shapeOf({ outputs }: AggregatePlan): ResultShape {
  return {
    columns: outputs.map(({ name, kind, fraction, term }) => ({
      name,
      kind,
      isOutput: true,
      column: null,
      fraction,
      isWide: isWideTerm(term),
    })),
    keys: [],
  };
}

/**
 * Reports whether the output may have values that a double cannot represent exactly. Counts and date parts
 * never do.
 */
function isWideTerm(term: Output['term']): boolean {
  if (term.kind === 'group') return term.part === null && isWide(term.source.column);
  return (
    term.kind === 'aggregate' &&
    (term.function === 'min' || term.function === 'max') &&
    isWide(term.source.column)
  );
}

/**
 * Returns a statement that selects from the groups as a derived table and filters them with WHERE. HAVING is
 * not used: there, the servers do not find a column inside a grouped expression, and a name may be ambiguous
 * between an output and a column.
 */
function retainedSql(plan: AggregatePlan, params: BoundValue[]): string {
  const groups = `(${groupedSql(plan, true, params)}) AS g`;
  return plan.having === null
    ? groups
    : `${groups} WHERE ${conditionSql(placeOutputs(plan.having, plan.outputs), '', params)}`;
}

/**
 * Returns the statement with GROUP BY. With `isNamed`, its output columns are named c0, c1 and so on, because
 * the requested names may be equal for the server, such as `a` and `A`.
 */
function groupedSql(plan: AggregatePlan, isNamed: boolean, params: BoundValue[]): string {
  const { outputs, table } = plan;
  const joins = toOneJoins(
    outputs.flatMap(({ term }) => (term.kind === 'count_records' ? [] : [term.source])),
  );
  const expressions = outputs.map((output) => expressionOf(output, joins, params));
  const list = expressions
    .map((expression, index) => (isNamed ? `${expression} AS ${nameOf(index)}` : expression))
    .join(', ');
  const from = joins.sql === '' ? table.quoted : `${table.quoted} AS t${joins.sql}`;
  const where = whereSql(plan.where, joins.sql === '' ? '' : 't', params);
  const keys = outputs.flatMap((output, index) =>
    output.term.kind === 'group'
      ? [groupKeySql(output.term.source, joins, params) ?? expressions[index] ?? '']
      : [],
  );
  return `SELECT ${list} FROM ${from}${where}${keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`}`;
}

/**
 * Returns the expression to group by if it differs from the value that the group shows. Returns null
 * otherwise.
 */
function groupKeySql(source: OutputSource, joins: ToOneJoins, params: BoundValue[]): string | null {
  return source.jsonPath === undefined
    ? null
    : jsonGroupKeySql(
        extractor(
          placeColumn({ alias: joins.aliasOf(source), column: source.column }),
          source.jsonPath,
          params,
        ),
      );
}

function nameOf(index: number): string {
  return `c${index}`;
}

/** Rewrites a condition on outputs for the columns of the derived table. */
function placeOutputs(condition: Condition, outputs: readonly Output[]): Condition {
  if (condition.kind === 'group')
    return {
      ...condition,
      conditions: condition.conditions.map((condition) => placeOutputs(condition, outputs)),
    };
  if (condition.kind === 'not')
    return { ...condition, condition: placeOutputs(condition.condition, outputs) };
  if (!('column' in condition)) return condition;
  const location = (column: CompiledColumn): CompiledColumn => ({
    ...column,
    quoted: memberSql(
      outputs,
      outputs.findIndex((output) => output.column === column),
    ),
  });
  if (condition.kind === 'columns')
    return { ...condition, column: location(condition.column), other: location(condition.other) };
  return { ...condition, column: location(condition.column) };
}

function expressionOf({ term }: Output, joins: ToOneJoins, params: BoundValue[]): string {
  if (term.kind === 'count_records') return 'COUNT(*)';
  const { column, jsonPath } = term.source;
  const name = placeColumn({ alias: joins.aliasOf(term.source), column });
  if (jsonPath !== undefined) {
    const extract = extractor(name, jsonPath, params);
    return term.kind === 'group' ? jsonGroupSql(extract) : jsonAggregateSql(term.function, extract);
  }
  if (term.kind === 'group')
    return term.part === null
      ? column.valueKind === 'boolean'
        ? `(${name} <> 0)`
        : name
      : partSql(term.part, name);
  switch (term.function) {
    case 'count':
      return `COUNT(${name})`;
    case 'count_distinct':
      return `COUNT(DISTINCT ${column.valueKind === 'boolean' ? `(${name} <> 0)` : name})`;
    case 'sum':
      return `SUM(${toNumber(name, column.valueKind)})`;
    case 'avg':
      return averageSql(toNumber(name, column.valueKind), column);
    case 'min':
    case 'max':
      return `${term.function.toUpperCase()}(${column.valueKind === 'bit' ? toNumber(name, 'bit') : name})`;
  }
}

/**
 * Returns an average with as many digits as responses show: four more than the column has. MySQL compares
 * averages with more digits, so a filter by a value from a response would otherwise not find it.
 */
function averageSql(number: string, { precision, scale, valueKind }: CompiledColumn): string {
  if (valueKind === 'float' || valueKind === 'double') return `AVG(${number})`;
  const [digits, locations] = valueKind === 'decimal' ? [precision ?? 65, scale ?? 0] : [20, 0];
  return `CAST(AVG(${number}) AS DECIMAL(65,${Math.min(30, locations + 4, 65 - (digits - locations))}))`;
}

/**
 * Returns the SQL that converts a value to a number. Every true boolean counts as 1, whatever number is
 * stored. BIT values become numbers instead of bytes.
 */
function toNumber(name: string, kind: string): string {
  if (kind === 'boolean') return `${name} <> 0`;
  return kind === 'bit' ? `${name} + 0` : name;
}

/**
 * Returns the SQL for a part of a date, as a text whose order is the order of time. Weeks follow ISO 8601.
 */
function partSql(part: DatePart, name: string): string {
  switch (part) {
    case 'year':
      return `YEAR(${name})`;
    case 'quarter':
      return `CONCAT(DATE_FORMAT(${name}, '%Y-Q'), QUARTER(${name}))`;
    case 'month':
      return `DATE_FORMAT(${name}, '%Y-%m')`;
    case 'week':
      return `DATE_FORMAT(${name}, '%x-W%v')`;
    case 'day':
      return `DATE_FORMAT(${name}, '%Y-%m-%d')`;
    case 'hour':
      return `DATE_FORMAT(${name}, '%Y-%m-%dT%H:00:00')`;
  }
}

/**
 * Returns the SQL for a short text that is the same for all notations of a value inside JSON. It is NULL for
 * missing values and JSON null.
 */
function jsonGroupKeySql(extract: Extract): string {
  const isNumber = `JSON_TYPE(${extract()}) IN ${NUMBER_TYPES}`;
  const number = `IF(${digitsSql(extract)} = '', 'n', CONCAT('n', ${extract()} + 0e0, ' ', ${digitsSql(extract)}))`;
  const isText = `JSON_TYPE(${extract()}) = 'STRING'`;
  const text = `CONCAT('s', JSON_UNQUOTE(${extract()}))`;
  const exists = `COALESCE(JSON_TYPE(${extract()}), 'NULL') <> 'NULL'`;
  return `SHA2(CASE WHEN ${isNumber} THEN ${number} WHEN ${isText} THEN ${text} WHEN ${exists} THEN CONCAT('j', ${extract()}) END, 256)`;
}

/**
 * Returns the SQL for the value that a group shows. If a number occurs in several notations, the result is
 * the first of them in text order.
 */
function jsonGroupSql(extract: Extract): string {
  return `MIN(CAST(${extract()} AS CHAR))`;
}

/**
 * Returns the SQL that aggregates values inside JSON. Sums, averages and extremes ignore values other than
 * numbers. Their results are texts, so that no digits are lost.
 */
function jsonAggregateSql(name: AggregateFunction, extract: Extract): string {
  if (name === 'count')
    return `COUNT(CASE WHEN COALESCE(JSON_TYPE(${extract()}), 'NULL') <> 'NULL' THEN 1 END)`;
  if (name === 'count_distinct') return `COUNT(DISTINCT ${jsonGroupKeySql(extract)})`;
  const word = name.toUpperCase();
  const double = (): string =>
    `CASE WHEN JSON_TYPE(${extract()}) IN ${NUMBER_TYPES} THEN ${extract()} + 0e0 END`;
  const isExact = `MAX(ABS(${double()})) < ${EXACT_BELOW}`;
  const decimal = `CASE WHEN ABS(${double()}) < ${EXACT_BELOW} THEN CAST(JSON_UNQUOTE(${extract()}) AS ${EXACT_TYPE}) END`;
  const exact = `CAST(CAST(${word}(${decimal}) AS ${EXACT_TYPE}) AS CHAR)`;
  return `CASE WHEN ${isExact} THEN TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${exact})) ELSE CAST(${word}(${double()}) AS CHAR) END`;
}

/** Returns the SQL that converts the text of a sum to a number, which the server compares exactly. */
function jsonSumSql(member: string): string {
  return `CAST(${member} AS ${EXACT_TYPE})`;
}
