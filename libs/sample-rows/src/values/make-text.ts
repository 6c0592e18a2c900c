import { fillPattern, findTextMaker, type TextParts } from './text-makers.js';
import type { ValueContext } from './value-context.js';

/** The maximum number of sentences in a text, for columns that have no maximum length or a very large one. */
const SENTENCES_MAX = 4;
const LENGTH_MAX = 2_000;

/** Returns a text that is plausible for the column's name and allowed by its length and CHECK clauses. */
export function makeText(ctx: ValueContext): string {
  const { column, limits, random } = ctx;
  if (limits.pattern !== null) return fitLike(limits.pattern, ctx);
  const capacity = Math.min(column.maxLength ?? LENGTH_MAX, limits.lengthMax ?? LENGTH_MAX, LENGTH_MAX);
  const parts = makeParts(ctx);
  const text = chooseDefault(ctx) ?? findTextMaker(ctx)?.(parts) ?? makePlain(ctx, parts, capacity);
  const marked =
    ctx.isUnique && ctx.attempt > 2
      ? distinguish(text, String(ctx.ordinal + ctx.attempt - 3), capacity)
      : text;
  const cut = cutText(marked, capacity);
  // If the truncated text is empty, a single letter is used, because short columns often contain codes.
  const full = cut === '' && capacity > 0 ? random.pick(['A', 'B', 'C']) : cut;
  return full.length >= limits.lengthMin
    ? full
    : `${full}${'abcdefgh'.repeat(Math.ceil(limits.lengthMin / 8))}`.slice(0, limits.lengthMin);
}

function makeParts({ random, person: user, ordinal, isUnique, column }: ValueContext): TextParts {
  return { random, person: user, ordinal, isUnique, maxLength: column.maxLength };
}

/**
 * Returns the default of the column, or null. If the name of a column matches no pattern, the default is the
 * most plausible value.
 */
function chooseDefault({ column, isUnique, random }: ValueContext): string | null {
  if (isUnique || column.default.kind !== 'literal' || column.default.text === '') return null;
  return random.chance(60) ? column.default.text : null;
}

function makePlain({ column, random, isUnique }: ValueContext, parts: TextParts, capacity: number): string {
  if (capacity <= 4)
    return Array.from({ length: capacity }, () => String.fromCodePoint(65 + random.below(26))).join('');
  if (capacity <= 20 || isUnique) return fillPattern(capacity <= 8 ? '%n' : '%a %n', parts.random);
  const isLong = column.type.endsWith('text') || capacity > 300;
  return fillPattern(isLong ? '%s' : '%t', parts.random, isLong ? 1 + random.below(SENTENCES_MAX) : 1);
}

/** Truncates a text. It ends at a word boundary if most of the text remains. */
function cutText(text: string, capacity: number): string {
  if (text.length <= capacity) return text;
  const cut = text.slice(0, capacity);
  const space = cut.lastIndexOf(' ');
  return (space > capacity * 0.6 ? cut.slice(0, space) : cut).trimEnd();
}

/**
 * Makes a text unique by inserting `mark`: before the @ of an email address, and at the end of any other
 * text.
 */
function distinguish(text: string, mark: string, capacity: number): string {
  const index = text.indexOf('@');
  const tail = index > 0 ? text.slice(index) : '';
  const head = index > 0 ? text.slice(0, index) : text;
  const glue =
    /^[A-Z0-9-]+$/.test(head) || index > 0 || !head.includes(' ') ? (head.includes('-') ? '-' : '') : ' ';
  const end = `${glue}${mark}${tail}`;
  return end.length > capacity ? mark.slice(0, capacity) : `${head.slice(0, capacity - end.length)}${end}`;
}

/** Replaces each `%` with a word and each `_` with a letter, so that the text matches the LIKE pattern. */
function fitLike(pattern: string, { random, column }: ValueContext): string {
  const text = Array.from(pattern, (sign) =>
    sign === '%'
      ? random.pick(['amber', 'cedar', 'delta', 'linen']) + String(random.below(1000))
      : sign === '_'
        ? String.fromCodePoint(65 + random.below(26))
        : sign,
  ).join('');
  return column.maxLength === null ? text : text.slice(0, column.maxLength);
}
