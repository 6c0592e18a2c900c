/**
 * Returns the current date in a time zone, such as `2026-11-21`. The request's validation has accepted the
 * zone. An unknown zone counts as UTC.
 */
export function findToday(nowMs: number, timezone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone === 'Z' ? 'UTC' : timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }).format(nowMs);
    return /^\d{4}-\d{2}-\d{2}$/.test(parts) ? parts : new Date(nowMs).toISOString().slice(0, 10);
  } catch {
    return new Date(nowMs).toISOString().slice(0, 10);
  }
}
