import type { PointerEvent } from 'react';
import { describeTime, writeExactTime } from './describe-time.js';

/** A time in words, with the exact one on hover and for machines. */
export function TimeText({ iso, absent = 'never' }: { iso: string | null | undefined; absent?: string }) {
  if (iso === null || iso === undefined) return <span>{absent}</span>;
  const date = new Date(iso);
  return (
    <time dateTime={iso} onPointerEnter={tellExactTime}>
      {describeTime(date.getTime(), Date.now())}
    </time>
  );
}

/** Written when somebody points there: a page of times would wait for what most of them are never asked for. */
export function tellExactTime({ currentTarget }: PointerEvent<HTMLTimeElement>): void {
  currentTarget.title = writeExactTime(new Date(currentTarget.dateTime));
}
