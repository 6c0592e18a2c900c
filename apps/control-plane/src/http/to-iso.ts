/** Formats a time for responses. Null stays null. */
export function toIso(time: Date): string;
export function toIso(time: Date | null): string | null;
export function toIso(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
