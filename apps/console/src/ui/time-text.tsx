import type { SyntheticEvent } from 'react';
import { describeTime, writeExactTime } from './describe-time.js';

/**
 * A time in words; the exact one for machines, and for whom points at it or comes to it by keyboard (`tokens.css` shows it then,
 * and it is its description). `isInControl`: a part of a link or button, which has the focus itself.
 */
export function TimeText({ iso, absent = 'never', isInControl = false }: { iso: string | null | undefined; absent?: string; isInControl?: boolean }) {
  if (iso === null || iso === undefined) return <span>{absent}</span>;
  const date = new Date(iso);
  return <time dateTime={iso} {...tellWhenAsked(tellExactTime, isInControl)}>{describeTime(date.getTime(), Date.now())}</time>;
}

/** Written only when it is asked for: a page of times would wait for what most of them are never asked for. */
export function tellExactTime({ currentTarget }: SyntheticEvent<HTMLTimeElement>): void {
  currentTarget.title = writeExactTime(new Date(currentTarget.dateTime));
}

/** What a `<time>` needs so that a pointer and the keyboard can ask it. */
export function tellWhenAsked(tell: (event: SyntheticEvent<HTMLTimeElement>) => void, isInControl = false) {
  return { onPointerEnter: tell, ...(isInControl ? {} : { onFocus: tell, tabIndex: 0 }) };
}
