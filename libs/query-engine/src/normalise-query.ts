import { commentOpeningAt, isSpaceUnit, skipComment, skipQuoted } from './scan-text.js';

const FENCE = '```';
/** What stands behind the opening fence on its line. All of it may be missing, so that nothing is ever tried twice. */
const FENCE_HEAD = /^[ \t]*[a-z]*[ \t]*\r?\n?/i;

/**
 * What editors, chats and clipboards wrap around a query, taken off: a byte-order mark, code fences, odd blanks outside
 * quotes, outer white space and the `;` at the end.
 */
export function normaliseQuery(text: string): string {
  let result = text.replace(/^\ufeff+/, '').trim();
  result = withoutFence(result);
  if (/^`[^`]+`$/.test(result)) result = result.slice(1, -1);
  return trimEnd(replaceOddBlanks(result).trim());
}

/** By its ends: one pattern over fence, word and content would try every share of a run of blanks, for hours. */
function withoutFence(text: string): string {
  if (text.length < 2 * FENCE.length || !text.startsWith(FENCE) || !text.endsWith(FENCE)) return text;
  const inner = text.slice(FENCE.length, -FENCE.length);
  return inner.slice(FENCE_HEAD.exec(inner)?.[0].length).replace(/\r?\n?$/, '');
}

/** Without blanks and `;` at the end. A loop, since a pattern would look again at every run of blanks inside. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charAt(end - 1) === ';' || isSpaceUnit(text.charCodeAt(end - 1)))) end -= 1;
  return text.slice(0, end);
}

const ODD_BLANK = /[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/g;

/** To the servers these are letters. Inside quotes they are data. */
function replaceOddBlanks(text: string): string {
  if (text.search(ODD_BLANK) === -1) return text;
  const parts: string[] = [];
  let kept = 0;
  let offset = 0;
  let unclosed = 0;
  while (offset < text.length && unclosed < UNCLOSED_MAX) {
    const end = endOfOpaque(text, offset);
    if (end === offset) {
      if (mayOpen(text, offset)) unclosed += 1;
      offset += 1;
      continue;
    }
    parts.push(text.slice(kept, offset).replaceAll(ODD_BLANK, ' '), text.slice(offset, end));
    kept = end;
    offset = end;
  }
  parts.push(text.slice(kept).replaceAll(ODD_BLANK, ' '));
  return parts.join('');
}

/** Apostrophes of prose, at most; each is looked for to the end of the text. */
const UNCLOSED_MAX = 100;

function mayOpen(text: string, offset: number): boolean {
  return '\'"`'.includes(text.charAt(offset)) || commentOpeningAt(text, offset) !== null;
}

/** Offset behind the quoted text or comment that opens at `offset`; `offset` itself where none does, or none closes. */
function endOfOpaque(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  if (unit === 0x27 || unit === 0x22 || unit === 0x60) return Math.max(offset, skipQuoted(text, offset));
  const opening = commentOpeningAt(text, offset);
  return opening === null ? offset : Math.max(offset, skipComment(text, offset, opening));
}
