import type { SyntheticEvent } from 'react';
import { describeTime, writeExactTime } from './describe-time.js';

/**
 * A relative time. The exact time is available to programs, and on hover or focus, when `tokens.css` shows it
 * and it becomes the description. `isInControl` is set inside a link or button, which has the focus itself.
 */
export function TimeText({
  iso,
  absent = 'never',
  isInControl = false,
}: {
  iso: string | null | undefined;
  absent?: string;
  isInControl?: boolean;
}) {
  if (iso === null || iso === undefined) return <span>{absent}</span>;
  const date = new Date(iso);
  return (
    <time dateTime={iso} {...reportWhenAsked(reportExactTime, isInControl)}>
      {describeTime(date.getTime(), Date.now())}
    </time>
  );
}

/** Sets the title to the exact time when it is needed, because most titles of a page never are. */
export function reportExactTime({ currentTarget }: SyntheticEvent<HTMLTimeElement>): void {
  currentTarget.title = writeExactTime(new Date(currentTarget.dateTime));
}

/** Returns the event handlers with which a `<time>` calls `onShow` for the pointer and the keyboard. */
export function reportWhenAsked(
  onShow: (event: SyntheticEvent<HTMLTimeElement>) => void,
  isInControl = false,
) {
  return { onPointerEnter: onShow, ...(isInControl ? {} : { onFocus: onShow, tabIndex: 0 }) };
}
