// @ts-check
/** Creates relative dates and evaluates them with the calendar of a time zone. */

/**
 * A relative date: the current time, truncated to the start of the day or month in `zone` if `trunc` is set,
 * minus `count` units.
 * @typedef {{ trunc: 'day' | 'month' | null, zone: string | null, count: number, unit: 'hour' | 'day' | 'week' | 'month' }} Moment
 */

const ZONES = [null, 'UTC', '-05:00', 'Europe/Amsterdam', 'Asia/Kolkata', 'America/New_York'];
const MS = /** @type {Record<string, number>} */ ({ hour: 3_600_000, day: 86_400_000, week: 604_800_000 });
/** The current time, fixed for one run, so that the expected result does not change while the run lasts. */
const NOW = Date.now();

/**
 * Creates a relative date. The number of units is chosen so that some dates are before the rows' dates and
 * some after them.
 * @param {import('./make-tables.mjs').Random} random
 * @returns {Moment}
 */
export function makeMoment(random) {
  const trunc = random.maybe(0.6) ? random.pick(/** @type {const} */ (['day', 'day', 'month'])) : null;
  const days = Math.round((NOW - Date.UTC(2026, 0, 31)) / 86_400_000);
  const [unit, count] = random.pick(
    /** @type {const} */ ([
      ['day', days],
      ['day', days - 1],
      ['day', days + 1],
      ['hour', days * 24],
      ['week', 300],
      ['month', 30],
      ['month', -60],
      ['month', 0],
    ]),
  );
  return { trunc, zone: trunc === null ? null : random.pick(ZONES), count, unit };
}

/** @param {Moment} moment */
export function writeMoment({ trunc, zone, count, unit }) {
  const base =
    trunc === null ? 'NOW()' : `DATE_TRUNC('${trunc}', NOW()${zone === null ? '' : `, '${zone}'`})`;
  return `${base} ${count < 0 ? '+' : '-'} INTERVAL ${Math.abs(count)} ${unit.toUpperCase()}`;
}

/** Formats an instant as local time of a zone. @param {number} instant @param {string | null} zone */
function print(instant, zone) {
  const fixed = /^([+-])(\d\d):(\d\d)$/.exec(zone ?? '');
  if (fixed !== null)
    return new Date(
      instant + (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000,
    )
      .toISOString()
      .slice(0, 23)
      .replace('T', ' ');
  const [day = '', time = ''] = new Date(instant)
    .toLocaleString('sv-SE', { timeZone: zone ?? 'UTC' })
    .split(' ');
  return `${day} ${time}.${String(((instant % 1000) + 1000) % 1000).padStart(3, '0')}`;
}

/**
 * Returns the first instant at which the zone's local time is this, or the next one if this local time is
 * skipped.
 * @param {string} local
 * @param {string | null} zone
 */
function find(local, zone) {
  const about = Date.parse(`${local.replace(' ', 'T')}Z`);
  for (let minutes = -15 * 60; minutes <= 15 * 60; minutes += 15)
    if (print(about + minutes * 60_000, zone) >= local) return about + minutes * 60_000;
  throw new Error(`${zone} has no ${local}`);
}

/** @param {Moment} moment @returns {{ utc: string, local: string }} */
export function evaluateMoment({ trunc, zone, count, unit }) {
  const now = print(NOW, zone);
  const start =
    trunc === null
      ? now
      : trunc === 'day'
        ? `${now.slice(0, 10)} 00:00:00.000`
        : `${now.slice(0, 7)}-01 00:00:00.000`;
  if (unit === 'hour') {
    const instant = find(start, zone) - count * (MS['hour'] ?? 0);
    return { utc: print(instant, 'UTC'), local: print(instant, zone) };
  }
  const local =
    unit === 'month'
      ? takeMonths(start, count)
      : new Date(Date.parse(`${start.replace(' ', 'T')}Z`) - count * (MS[unit] ?? 0))
          .toISOString()
          .slice(0, 23)
          .replace('T', ' ');
  return { utc: print(find(local, zone), 'UTC'), local };
}

/** @param {string} local @param {number} count */
function takeMonths(local, count) {
  const [year = 0, month = 0, day = 0] = local.slice(0, 10).split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - count, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return `${first.toISOString().slice(0, 8)}${String(Math.min(day, last)).padStart(2, '0')}${local.slice(10)}`;
}
