import { DAY_MS } from '@rowhouse/contracts/constants';
import type { SyntheticEvent } from 'react';
import { describeTime, writeClock, writeDay, writeExactTime } from './describe-time.js';
import { reportWhenAsked } from './time-text.js';

/**
 * Shows a date, or the time if it is less than a day away. On hover or focus, it shows how long ago or how
 * far ahead that is.
 */
export function DateText({ iso, absent }: { iso: string | null; absent: string }) {
  if (iso === null) return <span>{absent}</span>;
  const date = new Date(iso);
  const isNear = Math.abs(date.getTime() - Date.now()) < DAY_MS;
  return (
    <time dateTime={iso} {...reportWhenAsked(reportDistance)}>
      {isNear ? `${writeDay(date)}, ${writeClock(date)}` : writeDay(date)}
    </time>
  );
}

function reportDistance({ currentTarget }: SyntheticEvent<HTMLTimeElement>): void {
  const date = new Date(currentTarget.dateTime);
  currentTarget.title = `${writeExactTime(date)}, ${describeTime(date.getTime(), Date.now())}`;
}
