import type { Column } from '@rowhouse/schema-model';
import type { ColumnChange, Misfit } from './compare-column.js';
import { integerRange } from './integer-range.js';
import { quoteText } from './sql-text.js';

/**
 * A column takes another kind of type: which values cannot be converted, and what those that can may lose. What strict
 * mode refuses is found beforehand; what it lets through altered is named as a loss.
 */
export function convertMisfits(from: Column, to: Column): ColumnChange {
  const misfits = [...listMisfits(from, to)];
  return { class: 'retype', loss: isLossless(from, to) ? '' : `what does not survive the change from ${from.sqlType} to ${to.sqlType}`, misfits };
}

const isText = (column: Column): boolean => column.valueKind === 'string';
const isWhole = (column: Column): boolean => column.valueKind === 'integer' || column.valueKind === 'boolean' || column.valueKind === 'year';
const isNumber = (column: Column): boolean => isWhole(column) || column.valueKind === 'decimal' || column.valueKind === 'float' || column.valueKind === 'double';
const isMoment = (column: Column): boolean => column.valueKind === 'datetime' || column.valueKind === 'timestamp';

function listMisfits(from: Column, to: Column): Misfit[] {
  if (isText(from)) return textMisfits(from, to);
  if (isText(to)) return to.maxLength === null || /text$/.test(to.type) ? [] : [{ condition: `CHAR_LENGTH(CAST({c} AS CHAR)) > ${to.maxLength}`, problem: `holds values longer than ${to.sqlType}` }];
  if (isNumber(from) && isWhole(to)) return [outside(to)];
  if (isNumber(from) && to.valueKind === 'decimal') return [{ condition: `ABS({c}) >= 1e${(to.precision ?? 0) - (to.scale ?? 0)}${to.unsigned ? ' OR {c} < 0' : ''}`, problem: `holds numbers outside ${to.sqlType}` }];
  if (to.valueKind === 'timestamp' && (from.valueKind === 'datetime' || from.valueKind === 'date')) return [{ condition: `{c} < '1970-01-02' OR {c} > '2038-01-18'`, problem: 'holds times outside those that a TIMESTAMP can hold' }];
  return [];
}

function outside(to: Column): Misfit {
  const { low, high } = integerRange(to);
  return { condition: `ROUND({c}) < ${low} OR ROUND({c}) > ${high}`, problem: `holds numbers outside ${to.sqlType}` };
}

function textMisfits(from: Column, to: Column): Misfit[] {
  switch (to.valueKind) {
    case 'integer': case 'boolean': case 'year': {
      const { low, high } = integerRange(to);
      const isNone = `{c} NOT REGEXP '^ *[-+]?[0-9]+ *$'`;
      return [{ condition: `${isNone} OR CAST({c} AS DECIMAL(65)) < ${low} OR CAST({c} AS DECIMAL(65)) > ${high}`, problem: `holds texts that are no ${to.sqlType}` }];
    }
    case 'decimal': case 'float': case 'double':
      return [{ condition: `{c} NOT REGEXP '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$'`, problem: `holds texts that are no ${to.sqlType}` }];
    case 'date': case 'datetime': case 'timestamp':
      return [{ condition: `{c} IS NOT NULL AND CAST({c} AS DATETIME) IS NULL`, problem: `holds texts that are no ${to.sqlType}` }];
    case 'json': return [{ condition: 'NOT JSON_VALID({c})', problem: 'holds texts that are no JSON' }];
    case 'enum': return [{ condition: `{c} NOT IN (${(to.labels ?? []).map(quoteText).join(', ')})`, problem: 'holds texts that are none of the labels' }];
    case 'uuid': return [{ condition: `REPLACE({c}, '-', '') NOT REGEXP '^[0-9a-fA-F]{32}$'`, problem: 'holds texts that are no UUID' }];
    case 'string': {
      const misfits: Misfit[] = [];
      if (from.charset !== to.charset && to.charset !== null && !to.charset.startsWith('utf8mb4')) {
        misfits.push({ condition: `CONVERT(CONVERT({c} USING ${to.charset}) USING utf8mb4) <> CONVERT({c} USING utf8mb4)`, problem: `holds characters that ${to.charset} does not have` });
      }
      if (to.maxLength !== null && from.maxLength !== null && to.maxLength < from.maxLength) {
        misfits.push({ condition: `${/text$/.test(to.type) ? 'LENGTH' : 'CHAR_LENGTH'}({c}) > ${to.maxLength}`, problem: `holds values longer than ${to.sqlType}` });
      }
      return misfits;
    }
    default: return [];
  }
}

/** True when every value that is not refused comes back the same from the old type to the new one. */
function isLossless(from: Column, to: Column): boolean {
  if (from.generated !== null) return true;
  if (isText(from) && isText(to)) return from.type !== 'char' || to.type !== 'char';
  if (isText(to)) return !isNumber(from) || isWhole(from) || from.valueKind === 'decimal';
  if (isText(from)) return to.valueKind === 'enum' || (to.valueKind === 'json' && to.type !== 'json');
  if (isWhole(from)) return isWhole(to) || to.valueKind === 'decimal' || to.valueKind === 'double';
  if (from.valueKind === 'float') return to.valueKind === 'double';
  if (from.valueKind === 'date') return isMoment(to);
  if (isMoment(from) && isMoment(to)) return (to.fraction ?? 0) >= (from.fraction ?? 0);
  return false;
}
