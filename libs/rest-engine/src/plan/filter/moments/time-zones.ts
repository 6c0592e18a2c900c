export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const OFFSET = /^([+-])(0\d|1[0-4]):([0-5]\d)$/;
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;
/** The maximum number of cached time zones. */
const ZONES_MAX = 64;

type Clock = (utc: number) => number;

const clocks = new Map<string, Clock>();

/** Reports whether a text is a time zone, such as `Europe/Amsterdam`, `UTC` or `+02:00`. */
export function isTimeZone(text: string): boolean {
  return OFFSET.test(text) || (NAME.test(text) && clockOf(text) !== null);
}

/** Returns the local time in a time zone at an instant. Both are in milliseconds. */
export function toLocal(utc: number, zone: string): number {
  return utc + offsetAt(utc, zone);
}

/**
 * Returns the instant of a local time. For a local time that occurs twice, this is the first instant. A local
 * time that does not exist, because clocks are set forward, is moved forward by the length of the gap.
 */
export function toUtc(guard: number, zone: string): number {
  if (zone === 'UTC') return guard;
  const before = offsetAt(guard - DAY_MS, zone);
  const after = offsetAt(guard + DAY_MS, zone);
  for (const offset of [before, after]) if (offsetAt(guard - offset, zone) === offset) return guard - offset;
  return guard - before;
}

function offsetAt(utc: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const [, sign, hours, minutes] = OFFSET.exec(zone) ?? [];
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return clockOf(zone)?.(utc) ?? 0;
}

/**
 * Returns the cached clock of a time zone. Returns null for an unknown time zone. Only existing zones are
 * cached.
 */
function clockOf(zone: string): Clock | null {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const clock = makeClock(zone);
  if (clock === null) return null;
  const [oldest] = clocks.keys();
  if (oldest !== undefined && clocks.size >= ZONES_MAX) clocks.delete(oldest);
  clocks.set(zone, clock);
  return clock;
}

function makeClock(timeZone: string): Clock | null {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      ...fields,
    });
    return (utc) => {
      const whole = Math.floor(utc / 1_000) * 1_000;
      const parts = new Map(format.formatToParts(whole).map(({ type, value }) => [type, value]));
      const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = [
        'year',
        'month',
        'day',
        'hour',
        'minute',
        'second',
      ].map((name) => Number(parts.get(name as Intl.DateTimeFormatPartTypes)));
      return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
