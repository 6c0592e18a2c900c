import type { Column } from '@rowhouse/schema-model';

/** The strictest kind of change wins: a value of `retype` may hold any mix. */
export type ColumnChange = {
  readonly class: 'widen' | 'tighten' | 'retype';
  /** What values may lose; empty when the server refuses rather than cuts. */
  readonly loss: string;
  /** Conditions (over the column's quoted name `{c}`) that hold for rows that do not fit, each with its words. */
  readonly misfits: readonly { readonly condition: string; readonly problem: string }[];
};

const INTEGER_BITS: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, mediumint: 24, int: 32, bigint: 64 };

/** Null when both say the same. */
export function compareColumn(from: Column, to: Column): ColumnChange | null {
  if (from.definition === to.definition) return null;
  if (from.generated !== to.generated || (from.generated !== null && from.definition !== to.definition)) return retype(from, to);
  const type = compareType(from, to);
  if (type.class === 'retype') return type;
  const misfits = [...type.misfits];
  let isTighter = type.class === 'tighten';
  if (from.nullable && !to.nullable) {
    isTighter = true;
    misfits.push({ condition: '{c} IS NULL', problem: `holds NULL` });
  }
  if (from.default.kind !== 'none' && to.default.kind === 'none' && !to.nullable && !to.autoIncrement) isTighter = true;
  if (from.autoIncrement && !to.autoIncrement) isTighter = true;
  return { class: isTighter ? 'tighten' : 'widen', loss: type.loss, misfits };
}

function compareType(from: Column, to: Column): ColumnChange {
  const same: ColumnChange = { class: 'widen', loss: '', misfits: [] };
  if (from.sqlType === to.sqlType && from.charset === to.charset && from.collation === to.collation && from.valueKind === to.valueKind) return same;
  if (from.valueKind !== to.valueKind || from.charset !== to.charset || from.collation !== to.collation) return retype(from, to);
  switch (to.valueKind) {
    case 'integer': return compareInteger(from, to);
    case 'string': case 'binary': return compareLength(from, to);
    case 'decimal': return compareDecimal(from, to);
    case 'datetime': case 'timestamp': case 'time': return compareFraction(from, to);
    case 'enum': case 'set': return compareLabels(from, to);
    default: return retype(from, to);
  }
}

function retype(from: Column, to: Column): ColumnChange {
  const loss = from.generated === null ? `what does not survive the change from ${from.sqlType} to ${to.sqlType}` : '';
  return { class: 'retype', loss, misfits: [] };
}

function integerRange(column: Column): { low: bigint; high: bigint } {
  const bits = BigInt(INTEGER_BITS[column.type] ?? 64);
  if (column.unsigned) return { low: 0n, high: 2n ** bits - 1n };
  return { low: -(2n ** (bits - 1n)), high: 2n ** (bits - 1n) - 1n };
}

function compareInteger(from: Column, to: Column): ColumnChange {
  const [old, next] = [integerRange(from), integerRange(to)];
  if (next.low <= old.low && next.high >= old.high) return { class: 'widen', loss: '', misfits: [] };
  const misfit = { condition: `{c} < ${next.low} OR {c} > ${next.high}`, problem: `holds numbers outside ${to.sqlType}` };
  return { class: 'tighten', loss: '', misfits: [misfit] };
}

function compareLength(from: Column, to: Column): ColumnChange {
  if (from.maxLength === null || to.maxLength === null) return retype(from, to);
  if (to.maxLength >= from.maxLength) return { class: 'widen', loss: '', misfits: [] };
  const measure = to.valueKind === 'string' && !/text$/.test(to.type) ? 'CHAR_LENGTH' : 'LENGTH';
  return { class: 'tighten', loss: '', misfits: [{ condition: `${measure}({c}) > ${to.maxLength}`, problem: `holds values longer than ${to.sqlType}` }] };
}

function compareDecimal(from: Column, to: Column): ColumnChange {
  const fromWhole = (from.precision ?? 0) - (from.scale ?? 0);
  const toWhole = (to.precision ?? 0) - (to.scale ?? 0);
  if (from.unsigned !== to.unsigned) return retype(from, to);
  const isShorter = (to.scale ?? 0) < (from.scale ?? 0);
  if (toWhole >= fromWhole && !isShorter) return { class: 'widen', loss: '', misfits: [] };
  const misfits = toWhole < fromWhole ? [{ condition: `ABS({c}) >= 1e${toWhole}`, problem: `holds numbers outside ${to.sqlType}` }] : [];
  return { class: 'tighten', loss: isShorter ? `digits behind the ${to.scale ?? 0}. decimal place` : '', misfits };
}

function compareFraction(from: Column, to: Column): ColumnChange {
  if ((to.fraction ?? 0) >= (from.fraction ?? 0)) return { class: 'widen', loss: '', misfits: [] };
  return { class: 'tighten', loss: 'fractions of a second', misfits: [] };
}

function compareLabels(from: Column, to: Column): ColumnChange {
  const kept = new Set(to.labels ?? []);
  const gone = (from.labels ?? []).filter((label) => !kept.has(label));
  if (gone.length === 0) return { class: 'widen', loss: '', misfits: [] };
  const quoted = gone.map((label) => `'${label.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`);
  const condition = to.valueKind === 'enum' ? `{c} IN (${quoted.join(', ')})` : quoted.map((label) => `FIND_IN_SET(${label}, {c}) > 0`).join(' OR ');
  return { class: 'tighten', loss: '', misfits: [{ condition, problem: `holds the labels ${gone.join(', ')}` }] };
}
