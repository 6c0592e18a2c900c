import { commentOpeningAt, isSpaceUnit, skipComment, skipQuoted } from './scan-text.js';

const FENCE = /^```[ \t]*[a-z]*[ \t]*\r?\n?([\s\S]*?)\r?\n?```$/i;

/**
 * What editors, chats and clipboards wrap around a query, taken off: a byte-order mark, code fences, odd blanks outside
 * quotes, outer white space and the `;` at the end.
 */
export function normaliseQuery(text: string): string {
  let result = text.replace(/^\ufeff+/, '').trim();
  result = FENCE.exec(result)?.[1] ?? result;
  if (/^`[^`]+`$/.test(result)) result = result.slice(1, -1);
  return trimEnd(replaceOddBlanks(result).trim());
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
  while (offset < text.length) {
    const end = endOfOpaque(text, offset);
    if (end === offset) {
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

/** Offset behind the quoted text or comment that opens at `offset`; `offset` itself where none does, or none closes. */
function endOfOpaque(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  if (unit === 0x27 || unit === 0x22 || unit === 0x60) return Math.max(offset, skipQuoted(text, offset));
  const opening = commentOpeningAt(text, offset);
  return opening === null ? offset : Math.max(offset, skipComment(text, offset, opening));
}
