/** The day it is in a time zone, `2026-11-21`. The zone is one that the request's check let through; an unknown one is UTC. */
export function findToday(nowMs: number, timezone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en-CA', { timeZone: timezone === 'Z' ? 'UTC' : timezone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(nowMs);
    return /^\d{4}-\d{2}-\d{2}$/.test(parts) ? parts : new Date(nowMs).toISOString().slice(0, 10);
  } catch {
    return new Date(nowMs).toISOString().slice(0, 10);
  }
}
