import { isWide, type CompiledColumn } from '@rowhouse/schema-model';
import type { AggregatePlan, DatePart, Output } from '../plan/aggregate/aggregate-plan.js';
import type { Condition } from '../plan/plan.js';
import { placeColumn } from './select-list.js';
import type { BoundValue, ResultShape, Statement, StatementProgram } from './statement.js';
import { digestSql } from './tie-break-sql.js';
import { toOneJoins, type ToOneJoins } from './to-one-joins.js';
import { conditionSql, whereSql } from './where.js';

/** One row more than wanted tells whether there are more. */
export function aggregateProgram(plan: AggregatePlan): StatementProgram {
  const statements = plan.isCounted ? [rowsStatement(plan), countStatement(plan)] : [rowsStatement(plan)];
  return { transaction: 'none', first: { statements, isOrdered: false }, next: () => null };
}

function rowsStatement(plan: AggregatePlan): Statement {
  const { having, outputs, window } = plan;
  const params: BoundValue[] = [];
  // MySQL takes a digest of a text that is grouped by for one that is not.
  const isWhole = having === null && plan.ties.length === 0 && !plan.sort.some((key) => key.turnsNulls);
  const text = isWhole ? groupedSql(plan, false, params) : `SELECT ${outputs.map((_, at) => nameOf(at)).join(', ')} FROM ${keptSql(plan, params)}`;
  // By position: the engine need not be shown that the expression is one of those it groups by.
  const keys = plan.sort.map(({ output, direction, turnsNulls }) => `${turnsNulls ? `${nameOf(outputs.indexOf(output))} IS NULL ${direction}, ` : ''}${outputs.indexOf(output) + 1} ${direction}`);
  const order = [...keys, ...tiesSql(plan)].join(', ');
  params.push(String(window.limit + 1), ...(window.offset === 0 ? [] : [String(window.offset)]));
  const sql = `${text}${order === '' ? '' : ` ORDER BY ${order}`} LIMIT ?${window.offset === 0 ? '' : ' OFFSET ?'}`;
  return { role: { kind: 'records' }, sql, params, shape: shapeOf(plan) };
}

function tiesSql({ ties, outputs }: AggregatePlan): string[] {
  return ties.length === 0 ? [] : [digestSql(ties.map((output) => nameOf(outputs.indexOf(output))))];
}

function countStatement(plan: AggregatePlan): Statement {
  const params: BoundValue[] = [];
  return { role: { kind: 'count' }, sql: `SELECT COUNT(*) FROM ${keptSql(plan, params)}`, params, shape: COUNT_SHAPE };
}

const COUNT_SHAPE: ResultShape = Object.freeze({ columns: [{ name: 'count', kind: 'integer', isOutput: false, column: null } as const], keys: [0] });

function shapeOf({ outputs }: AggregatePlan): ResultShape {
  return { columns: outputs.map(({ name, kind, fraction, term }) => ({ name, kind, isOutput: true, column: null, fraction, isWide: isWideTerm(term) })), keys: [] };
}

/** Counts and parts of dates are always held by a double. */
function isWideTerm(term: Output['term']): boolean {
  if (term.kind === 'group') return term.part === null && isWide(term.source.column);
  return term.kind === 'aggregate' && (term.function === 'min' || term.function === 'max') && isWide(term.source.column);
}

/**
 * The groups as a table, and which of them are kept. No HAVING: there the engines do not find the column inside of an
 * expression that is grouped by, and a name may be a member's or a column's.
 */
function keptSql(plan: AggregatePlan, params: BoundValue[]): string {
  const groups = `(${groupedSql(plan, true, params)}) AS g`;
  return plan.having === null ? groups : `${groups} WHERE ${conditionSql(placeOutputs(plan.having, plan.outputs), '', params)}`;
}

/** `isNamed`: its columns are c0, c1, … . Members may have names that are one for the engine: `a` and `A`. */
function groupedSql(plan: AggregatePlan, isNamed: boolean, params: BoundValue[]): string {
  const { outputs, table } = plan;
  const joins = toOneJoins(outputs.flatMap(({ term }) => (term.kind === 'count_records' ? [] : [term.source])));
  const expressions = outputs.map((output) => expressionOf(output, joins));
  const list = expressions.map((expression, at) => (isNamed ? `${expression} AS ${nameOf(at)}` : expression)).join(', ');
  const from = joins.sql === '' ? table.quoted : `${table.quoted} AS t${joins.sql}`;
  const where = whereSql(plan.where, joins.sql === '' ? '' : 't', params);
  const keys = expressions.filter((_, at) => outputs[at]?.term.kind === 'group');
  return `SELECT ${list} FROM ${from}${where}${keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`}`;
}

function nameOf(at: number): string {
  return `c${at}`;
}

/** The same condition on the columns of the groups as a table. */
function placeOutputs(condition: Condition, outputs: readonly Output[]): Condition {
  if (condition.kind === 'group') return { ...condition, conditions: condition.conditions.map((one) => placeOutputs(one, outputs)) };
  if (condition.kind === 'not') return { ...condition, condition: placeOutputs(condition.condition, outputs) };
  if (!('column' in condition)) return condition;
  return { ...condition, column: { ...condition.column, quoted: nameOf(outputs.findIndex((output) => output.column === condition.column)) } };
}

function expressionOf({ term }: Output, joins: ToOneJoins): string {
  if (term.kind === 'count_records') return 'COUNT(*)';
  const { column } = term.source;
  const name = placeColumn({ alias: joins.aliasOf(term.source), column });
  if (term.kind === 'group') return term.part === null ? (column.valueKind === 'boolean' ? `(${name} <> 0)` : name) : partSql(term.part, name);
  switch (term.function) {
    case 'count': return `COUNT(${name})`;
    case 'count_distinct': return `COUNT(DISTINCT ${column.valueKind === 'boolean' ? `(${name} <> 0)` : name})`;
    case 'sum': return `SUM(${toNumber(name, column.valueKind)})`;
    case 'avg': return averageSql(toNumber(name, column.valueKind), column);
    case 'min':
    case 'max': return `${term.function.toUpperCase()}(${column.valueKind === 'bit' ? toNumber(name, 'bit') : name})`;
  }
}

/**
 * To the digits that are shown, four more than the column has. MySQL keeps more of them where it compares, so that what an
 * answer says would not be found again.
 */
function averageSql(number: string, { precision, scale, valueKind }: CompiledColumn): string {
  if (valueKind === 'float' || valueKind === 'double') return `AVG(${number})`;
  const [digits, places] = valueKind === 'decimal' ? [precision ?? 65, scale ?? 0] : [20, 0];
  return `CAST(AVG(${number}) AS DECIMAL(65,${Math.min(30, places + 4, 65 - (digits - places))}))`;
}

/** Truth counts as 1, whatever is stored; bits are numbers here, not bytes. */
function toNumber(name: string, kind: string): string {
  if (kind === 'boolean') return `${name} <> 0`;
  return kind === 'bit' ? `${name} + 0` : name;
}

/** Texts sort as the time they stand for. Weeks are those of ISO 8601. */
function partSql(part: DatePart, name: string): string {
  switch (part) {
    case 'year': return `YEAR(${name})`;
    case 'quarter': return `CONCAT(DATE_FORMAT(${name}, '%Y-Q'), QUARTER(${name}))`;
    case 'month': return `DATE_FORMAT(${name}, '%Y-%m')`;
    case 'week': return `DATE_FORMAT(${name}, '%x-W%v')`;
    case 'day': return `DATE_FORMAT(${name}, '%Y-%m-%d')`;
    case 'hour': return `DATE_FORMAT(${name}, '%Y-%m-%dT%H:00:00')`;
  }
}
