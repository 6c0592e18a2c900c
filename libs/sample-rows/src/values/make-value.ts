import type { SampleValue } from '../types.js';
import { makeJson } from './make-json.js';
import { makeDateTime, makeDay, makeTime, makeYear } from './make-moment.js';
import { makeDecimal, makeFloat, makeInteger } from './make-number.js';
import { makeGeometry, makeVector } from './make-shape.js';
import { makeText } from './make-text.js';
import { makeUuid } from './text-makers.js';
import type { ValueContext } from './value-context.js';

const BYTES_USUAL = 16;

/** Returns a value that the column accepts, as far as the library supports its type and its CHECK clauses. */
export function makeValue(ctx: ValueContext): SampleValue {
  const { column, limits, random, attempt } = ctx;
  if (limits.choices !== null && limits.choices.length > 0)
    return ctx.isUnique
      ? (limits.choices[(ctx.ordinal - 1 + attempt) % limits.choices.length] ?? null)
      : random.pick(limits.choices);
  switch (column.valueKind) {
    case 'integer':
      return makeInteger(ctx);
    case 'decimal':
      return makeDecimal(ctx);
    case 'float':
    case 'double':
      return makeFloat(ctx);
    case 'boolean':
      return random.chance(isUsual(ctx.name) ? 80 : 50) ? 1 : 0;
    case 'bit':
      return random.below(
        2 ** Math.min(column.precision ?? Number(/\d+/.exec(column.sqlType)?.[0] ?? 1), 30),
      );
    case 'string':
      return makeText(ctx);
    case 'enum':
      return chooseLabel(ctx);
    case 'set':
      return chooseLabels(ctx);
    case 'date':
      return makeDay(ctx);
    case 'datetime':
    case 'timestamp':
      return makeDateTime(ctx);
    case 'time':
      return makeTime(ctx);
    case 'year':
      return makeYear(ctx);
    case 'json':
      return makeJson(ctx);
    case 'binary':
      return random.bytes(
        column.type === 'binary'
          ? (column.maxLength ?? 1)
          : Math.min(column.maxLength ?? BYTES_USUAL, BYTES_USUAL),
      );
    case 'uuid':
      return makeUuid(random);
    case 'inet':
      return column.type === 'inet6'
        ? `2001:db8::${random.between(1, 0xffff).toString(16)}`
        : `198.51.100.${random.between(1, 254)}`;
    case 'vector':
      return makeVector(ctx);
    case 'geometry':
      return makeGeometry(ctx);
  }
}

/** Reports whether a boolean column with this name is usually true in sample data. */
function isUsual(name: string): boolean {
  return /(^|_)(active|enabled|published|visible|available|verified|confirmed)$/.test(name);
}

/** Chooses a label. The first labels are chosen more often, as in real data. */
function chooseLabel({ column, random, isUnique, ordinal, attempt }: ValueContext): string {
  const labels = (column.labels ?? []).filter((label) => label !== '');
  if (isUnique) return labels[(ordinal - 1 + attempt) % labels.length] ?? '';
  return labels[Math.min(random.below(labels.length), random.below(labels.length + 1))] ?? labels[0] ?? '';
}

function chooseLabels({ column, random }: ValueContext): string {
  const labels = column.labels ?? [];
  const chosen = labels.filter(() => random.chance(35));
  return (chosen.length > 0 ? chosen : labels.slice(0, 1)).join(',');
}
