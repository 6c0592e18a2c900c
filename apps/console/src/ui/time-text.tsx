import { describeTime, writeExactTime } from './describe-time.js';

/** A time in words, with the exact one on hover and for machines. */
export function TimeText({ iso, absent = 'never' }: { iso: string | null | undefined; absent?: string }) {
  if (iso === null || iso === undefined) return <span>{absent}</span>;
  const date = new Date(iso);
  return (
    <time dateTime={iso} title={writeExactTime(date)}>
      {describeTime(date.getTime(), Date.now())}
    </time>
  );
}
