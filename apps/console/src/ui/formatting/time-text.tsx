import type { SyntheticEvent } from 'react';
import { describeTime, writeExactTime } from './describe-time.js';

/**
 * A relative time, such as `3 minutes ago`. The exact time is in the element's `datetime` attribute. On hover
 * or focus, `tokens.css` shows it, and it becomes the description for screen readers. `isInControl` is set
 * inside a link or button, which has the focus itself.
 */
export function TimeText({
  iso,
  absent = 'Never',
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

/**
 * Sets the title to the exact time. It does so only when the title is needed, because most titles of a page
 * are never shown.
 */
export function reportExactTime({ currentTarget }: SyntheticEvent<HTMLTimeElement>): void {
  currentTarget.title = writeExactTime(new Date(currentTarget.dateTime));
}

/**
 * Returns event handlers for a `<time>` element. They call `onShow` when the pointer or the keyboard reaches
 * it.
 */
export function reportWhenAsked(
  onShow: (event: SyntheticEvent<HTMLTimeElement>) => void,
  isInControl = false,
) {
  return { onPointerEnter: onShow, ...(isInControl ? {} : { onFocus: onShow, tabIndex: 0 }) };
}
