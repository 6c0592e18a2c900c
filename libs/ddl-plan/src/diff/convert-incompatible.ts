import { integerRange, type Column } from '@rowhouse/schema-model';
import type { ColumnChange, IncompatibleValue } from './column-change.js';
import { quoteText } from '../sql-text.js';

/**
 * Returns which values cannot be converted if a column gets a type of another kind, and what the other values
 * may lose.
 *
 * Row checks find values that strict mode rejects. Values that strict mode accepts but alters are reported as
 * a loss. Values of unrelated types are not converted, so the column must be empty.
 */
export function convertIncompatible(from: Column, to: Column): ColumnChange {
  if (from.generated !== null) return { class: 'retype', loss: '', misfits: [] };
  const incompatible = listIncompatible(from, to);
  if (incompatible === null) {
    const problem = `contains values, and ${from.sqlType} cannot be converted to ${to.sqlType}`;
    return { class: 'retype', loss: '', misfits: [{ condition: '{c} IS NOT NULL', problem }] };
  }
  return {
    class: 'retype',
    loss: isLossless(from, to) ? '' : `values that ${to.sqlType} cannot store exactly (was ${from.sqlType})`,
    misfits: incompatible,
  };
}

const isText = (column: Column): boolean => column.valueKind === 'string';
const isWhole = (column: Column): boolean =>
  column.valueKind === 'integer' || column.valueKind === 'boolean' || column.valueKind === 'year';
const isNumber = (column: Column): boolean =>
  isWhole(column) ||
  column.valueKind === 'decimal' ||
  column.valueKind === 'float' ||
  column.valueKind === 'double';
const isMoment = (column: Column): boolean =>
  column.valueKind === 'datetime' || column.valueKind === 'timestamp';
const isDay = (column: Column): boolean => column.valueKind === 'date' || isMoment(column);
/** The kinds of columns whose values can be cast to text without loss. */
const READABLE: ReadonlySet<string> = new Set([
  'date',
  'datetime',
  'timestamp',
  'time',
  'enum',
  'set',
  'json',
  'uuid',
  'inet',
]);

/**
 * An SQL condition for dates that a TIMESTAMP cannot store. It accepts the zero date, but no other date that
 * does not exist in the calendar.
 */
const OUTSIDE_TIMESTAMP = `CAST({c} AS CHAR) NOT LIKE '0000-00-00%' AND ({c} < '1970-01-02' OR {c} > '2038-01-18' OR CAST(CAST({c} AS CHAR) AS DATETIME) IS NULL)`;

/** Lists SQL conditions for values that cannot be converted. Returns null if no value can be converted. */
function listIncompatible(from: Column, to: Column): IncompatibleValue[] | null {
  if (isText(from)) return textIncompatible(from, to);
  if (isText(to))
    return isNumber(from) || READABLE.has(from.valueKind)
      ? lengthIncompatible(to, 'CAST({c} AS CHAR)')
      : null;
  if (to.valueKind === 'binary') return from.valueKind === 'binary' ? lengthIncompatible(to, '{c}') : null;
  if (isNumber(from)) return numberIncompatible(to);
  if (isDay(from) && isDay(to)) {
    return to.valueKind === 'timestamp'
      ? [{ condition: OUTSIDE_TIMESTAMP, problem: 'contains times outside the range of TIMESTAMP' }]
      : [];
  }
  if (isMoment(from) && to.valueKind === 'time') return [];
  return from.valueKind === to.valueKind &&
    from.valueKind !== 'geometry' &&
    from.valueKind !== 'vector' &&
    from.valueKind !== 'bit'
    ? []
    : null;
}

function numberIncompatible(to: Column): IncompatibleValue[] | null {
  if (isWhole(to))
    return [
      {
        condition: outside('ROUND({c})', to),
        problem: `contains numbers outside the range of ${to.sqlType}`,
      },
    ];
  if (to.valueKind === 'decimal')
    return [
      {
        condition: `${outsideDecimal('{c}', to)}${to.unsigned ? ' OR {c} < 0' : ''}`,
        problem: `contains numbers outside the range of ${to.sqlType}`,
      },
    ];
  return to.valueKind === 'float' || to.valueKind === 'double' ? [] : null;
}

/**
 * Returns an SQL condition for numbers that, rounded to the scale of a DECIMAL column, have too many digits
 * before the decimal point.
 */
export function outsideDecimal(value: string, to: Column): string {
  return `ABS(ROUND(${value}, ${to.scale ?? 0})) >= 1e${(to.precision ?? 0) - (to.scale ?? 0)}`;
}

function outside(value: string, to: Column): string {
  if (to.valueKind === 'year') return `(${value} < 1901 OR ${value} > 2155) AND ${value} <> 0`;
  const { low, high } = integerRange(to);
  return `${value} < ${low} OR ${value} > ${high}`;
}

function lengthIncompatible(to: Column, value: string): IncompatibleValue[] {
  if (to.maxLength === null) return [];
  const measure = to.valueKind === 'binary' || /text$/.test(to.type) ? 'LENGTH' : 'CHAR_LENGTH';
  return [
    {
      condition: `${measure}(${value}) > ${to.maxLength}`,
      problem: `contains values longer than ${to.sqlType}`,
    },
  ];
}

const WHOLE = '^ *[-+]?[0-9]+ *$';
const DECIMAL = '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$';
const DAY = '^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?)?$';
const TIME = '^-?[0-9]{1,3}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?$';

function textIncompatible(from: Column, to: Column): IncompatibleValue[] | null {
  const none = (condition: string): IncompatibleValue[] => [
    { condition, problem: `contains text that is not a valid ${to.sqlType}` },
  ];
  const unlike = (pattern: string): string => `{c} NOT REGEXP '${pattern}'`;
  switch (to.valueKind) {
    case 'integer':
    case 'boolean':
    case 'year':
      return none(`${unlike(WHOLE)} OR ${outside('CAST({c} AS DECIMAL(65))', to)}`);
    case 'decimal':
      return none(
        `${unlike(DECIMAL)} OR ${outsideDecimal('CAST({c} AS DOUBLE)', to)}${to.unsigned ? ' OR CAST({c} AS DOUBLE) < 0' : ''}`,
      );
    case 'float':
    case 'double':
      return none(unlike(DECIMAL));
    case 'date':
    case 'datetime':
    case 'timestamp':
      return none(`${unlike(DAY)} OR ({c} IS NOT NULL AND CAST({c} AS DATETIME) IS NULL)`);
    case 'time':
      return none(unlike(TIME));
    case 'json':
      return [{ condition: 'NOT JSON_VALID({c})', problem: 'contains invalid JSON' }];
    case 'enum':
      return none(`{c} NOT IN (${(to.labels ?? []).map(quoteText).join(', ')})`);
    case 'uuid':
      return none(`REPLACE({c}, '-', '') NOT REGEXP '^[0-9a-fA-F]{32}$'`);
    case 'inet':
      return none(to.type === 'inet4' ? 'NOT IS_IPV4({c})' : 'NOT (IS_IPV6({c}) OR IS_IPV4({c}))');
    case 'binary':
      return lengthIncompatible(to, '{c}');
    case 'string':
      return recodeIncompatible(from, to);
    default:
      return null;
  }
}

/**
 * Lists SQL conditions for values that do not fit after a change of the character set, the length, or both.
 */
function recodeIncompatible(from: Column, to: Column): IncompatibleValue[] {
  const incompatible: IncompatibleValue[] = [];
  if (from.charset !== to.charset && to.charset !== null && !to.charset.startsWith('utf8mb4')) {
    incompatible.push({
      condition: `CONVERT(CONVERT({c} USING ${to.charset}) USING utf8mb4) <> CONVERT({c} USING utf8mb4)`,
      problem: `contains characters that ${to.charset} does not have`,
    });
  }
  // In the new character set, a character may need more bytes, and the length of a TEXT type is in bytes.
  const value =
    from.charset !== to.charset && to.charset !== null && /text$/.test(to.type)
      ? `CONVERT({c} USING ${to.charset})`
      : '{c}';
  return [...incompatible, ...lengthIncompatible(to, value)];
}

/** Reports whether every value that the new type accepts remains the same after the conversion. */
function isLossless(from: Column, to: Column): boolean {
  if (isText(from) && isText(to)) return true;
  if (isText(to)) return !isNumber(from) || isWhole(from) || from.valueKind === 'decimal';
  if (isText(from))
    return (
      to.valueKind === 'enum' || to.valueKind === 'binary' || (to.valueKind === 'json' && to.type !== 'json')
    );
  if (isWhole(from)) return isWhole(to) || to.valueKind === 'decimal' || to.valueKind === 'double';
  if (from.valueKind === 'float') return to.valueKind === 'double';
  if (from.valueKind === 'date') return isMoment(to);
  if (isMoment(from) && isMoment(to)) return (to.fraction ?? 0) >= (from.fraction ?? 0);
  return from.valueKind === to.valueKind;
}
