import { commentOpeningAt, isSpaceUnit, skipComment, skipQuoted } from '../lexer/scan-text.js';

const FENCE = '```';
/** The text after the opening fence on its line. Everything is optional, so nothing is tried twice. */
const FENCE_HEAD = /^[ \t]*[a-z]*[ \t]*\r?\n?/i;

/**
 * Removes what editors, chats and clipboards add to a query: a byte order mark, code fences, unusual white
 * space outside of quotes, outer white space, and the final `;`.
 */
export function normaliseQuery(text: string): string {
  let result = text.replace(/^\ufeff+/, '').trim();
  result = withoutFence(result);
  if (/^`[^`]+`$/.test(result)) result = result.slice(1, -1);
  return trimEnd(replaceUnusualSpaces(result).trim());
}

/**
 * Checks the ends separately. A single pattern over fence, language and content would try every split of a
 * run of blanks, for hours.
 */
function withoutFence(text: string): string {
  if (text.length < 2 * FENCE.length || !text.startsWith(FENCE) || !text.endsWith(FENCE)) return text;
  const inner = text.slice(FENCE.length, -FENCE.length);
  return inner.slice(FENCE_HEAD.exec(inner)?.[0].length).replace(/\r?\n?$/, '');
}

/**
 * Removes white space and `;` at the end. This uses a loop, because a pattern would rescan every run of
 * blanks.
 */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charAt(end - 1) === ';' || isSpaceUnit(text.charCodeAt(end - 1)))) end -= 1;
  return text.slice(0, end);
}

const UNUSUAL_SPACE = /[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/g;

/**
 * Replaces unusual spaces outside quotes, because servers treat these characters as letters. Inside quotes,
 * such characters are data.
 */
function replaceUnusualSpaces(text: string): string {
  if (text.search(UNUSUAL_SPACE) === -1) return text;
  const parts: string[] = [];
  let retainedCount = 0;
  let offset = 0;
  let unclosed = 0;
  while (offset < text.length && unclosed < UNCLOSED_MAX) {
    const end = endOfOpaque(text, offset);
    if (end === offset) {
      if (mayOpen(text, offset)) unclosed += 1;
      offset += 1;
      continue;
    }
    parts.push(text.slice(retainedCount, offset).replaceAll(UNUSUAL_SPACE, ' '), text.slice(offset, end));
    retainedCount = end;
    offset = end;
  }
  parts.push(text.slice(retainedCount).replaceAll(UNUSUAL_SPACE, ' '));
  return parts.join('');
}

/**
 * The maximum number of apostrophes in prose. The number is limited, because each apostrophe causes a search
 * of the remaining text.
 */
const UNCLOSED_MAX = 100;

function mayOpen(text: string, offset: number): boolean {
  return '\'"`'.includes(text.charAt(offset)) || commentOpeningAt(text, offset) !== null;
}

/**
 * Returns the offset after the quoted text or comment that starts at `offset`, or `offset` if none starts
 * there or it is unclosed.
 */
function endOfOpaque(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  if (unit === 0x27 || unit === 0x22 || unit === 0x60) return Math.max(offset, skipQuoted(text, offset));
  const opening = commentOpeningAt(text, offset);
  return opening === null ? offset : Math.max(offset, skipComment(text, offset, opening));
}
