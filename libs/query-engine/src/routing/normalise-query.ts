import { commentOpeningAt, isSpaceUnit, skipComment, skipQuoted } from '../lexer/scan-text.js';

const FENCE = '```';
/**
 * The rest of the line after an opening code fence. Every part is optional, so the regular expression never
 * backtracks.
 */
const FENCE_HEAD = /^[ \t]*[a-z]*[ \t]*\r?\n?/i;

/**
 * Removes what editors, chats and clipboards add to a query: a byte order mark, code fences, unusual white
 * space outside quotes, white space at both ends, and a semicolon at the end.
 */
export function normaliseQuery(text: string): string {
  let result = text.replace(/^\ufeff+/, '').trim();
  result = withoutFence(result);
  if (/^`[^`]+`$/.test(result)) result = result.slice(1, -1);
  return trimEnd(replaceUnusualSpaces(result).trim());
}

/**
 * Removes a code fence. The two ends are checked separately: a single regular expression over fence, language
 * and content could take hours for a long run of spaces.
 */
function withoutFence(text: string): string {
  if (text.length < 2 * FENCE.length || !text.startsWith(FENCE) || !text.endsWith(FENCE)) return text;
  const inner = text.slice(FENCE.length, -FENCE.length);
  return inner.slice(FENCE_HEAD.exec(inner)?.[0].length).replace(/\r?\n?$/, '');
}

/**
 * Removes white space and semicolons at the end. It uses a loop, because a regular expression would scan
 * every run of spaces again from each of its positions.
 */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charAt(end - 1) === ';' || isSpaceUnit(text.charCodeAt(end - 1)))) end -= 1;
  return text.slice(0, end);
}

const UNUSUAL_SPACE = /[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/g;

/**
 * Replaces unusual white space outside quotes with spaces, because servers treat these characters as letters.
 * Inside quotes, they are data.
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
 * The maximum number of apostrophes in prose that are searched for a closing quote. Each one causes a search
 * of the remaining text.
 */
const UNCLOSED_MAX = 100;

function mayOpen(text: string, offset: number): boolean {
  return '\'"`'.includes(text.charAt(offset)) || commentOpeningAt(text, offset) !== null;
}

/**
 * Returns the offset after the string, name in quotes or comment that begins at `offset`. Returns `offset` if
 * none begins there, or if it is not closed.
 */
function endOfOpaque(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  if (unit === 0x27 || unit === 0x22 || unit === 0x60) return Math.max(offset, skipQuoted(text, offset));
  const opening = commentOpeningAt(text, offset);
  return opening === null ? offset : Math.max(offset, skipComment(text, offset, opening));
}
