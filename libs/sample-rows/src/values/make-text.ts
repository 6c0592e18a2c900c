import { fillPattern, findTextMaker, type TextParts } from './text-makers.js';
import type { ValueContext } from './value-context.js';

/** The limits for texts without a length of their own and for very long ones. */
const SENTENCES_MAX = 4;
const LENGTH_MAX = 2_000;

/** Returns a text that fits the column's name, length and CHECKs. */
export function makeText(ctx: ValueContext): string {
  const { column, limits, random } = ctx;
  if (limits.pattern !== null) return fitLike(limits.pattern, ctx);
  const room = Math.min(column.maxLength ?? LENGTH_MAX, limits.lengthMax ?? LENGTH_MAX, LENGTH_MAX);
  const parts = makeParts(ctx);
  const text = chooseDefault(ctx) ?? findTextMaker(ctx)?.(parts) ?? makePlain(ctx, parts, room);
  const marked = ctx.isUnique && ctx.attempt > 2 ? distinguish(text, String(ctx.ordinal + ctx.attempt - 3), room) : text;
  const cut = cutText(marked, room);
  // A truncated text may be empty. Short columns often hold codes of a single letter.
  const full = cut === '' && room > 0 ? random.pick(['A', 'B', 'C']) : cut;
  return full.length >= limits.lengthMin ? full : `${full}${'abcdefgh'.repeat(Math.ceil(limits.lengthMin / 8))}`.slice(0, limits.lengthMin);
}

function makeParts({ random, person, ordinal, isUnique, column }: ValueContext): TextParts {
  return { random, person, ordinal, isUnique, maxLength: column.maxLength };
}

/** Returns the column's default or null. If the name matches nothing, the default is the likeliest value. */
function chooseDefault({ column, isUnique, random }: ValueContext): string | null {
  if (isUnique || column.default.kind !== 'literal' || column.default.text === '') return null;
  return random.chance(60) ? column.default.text : null;
}

function makePlain({ column, random, isUnique }: ValueContext, parts: TextParts, room: number): string {
  if (room <= 4) return Array.from({ length: room }, () => String.fromCodePoint(65 + random.below(26))).join('');
  if (room <= 20 || isUnique) return fillPattern(room <= 8 ? '%n' : '%a %n', parts.random);
  const isLong = column.type.endsWith('text') || room > 300;
  return fillPattern(isLong ? '%s' : '%t', parts.random, isLong ? 1 + random.below(SENTENCES_MAX) : 1);
}

/** Cuts at a word boundary when that keeps most of the text. */
function cutText(text: string, room: number): string {
  if (text.length <= room) return text;
  const cut = text.slice(0, room);
  const space = cut.lastIndexOf(' ');
  return (space > room * 0.6 ? cut.slice(0, space) : cut).trimEnd();
}

/** Makes a text distinct by a mark: before the @ of an email address, and otherwise at the end. */
function distinguish(text: string, mark: string, room: number): string {
  const at = text.indexOf('@');
  const tail = at > 0 ? text.slice(at) : '';
  const head = at > 0 ? text.slice(0, at) : text;
  const glue = /^[A-Z0-9-]+$/.test(head) || at > 0 || !head.includes(' ') ? (head.includes('-') ? '-' : '') : ' ';
  const end = `${glue}${mark}${tail}`;
  return end.length > room ? mark.slice(0, room) : `${head.slice(0, room - end.length)}${end}`;
}

/** Replaces `%` by a word and `_` by a letter. */
function fitLike(pattern: string, { random, column }: ValueContext): string {
  const text = Array.from(pattern, (sign) => (sign === '%' ? random.pick(['amber', 'cedar', 'delta', 'linen']) + String(random.below(1000)) : sign === '_' ? String.fromCodePoint(65 + random.below(26)) : sign)).join('');
  return column.maxLength === null ? text : text.slice(0, column.maxLength);
}
