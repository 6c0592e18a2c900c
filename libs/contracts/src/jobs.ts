/** A wake-up says which row to look at. The row decides; a lost or doubled wake-up changes nothing. */
export type WakeJob =
  | { readonly kind: 'migration'; readonly id: string; readonly attempt: number }
  | { readonly kind: 'task'; readonly id: string; readonly attempt: number };

/** BullMQ never runs a completed id again, so the attempt is part of it; `:` is refused there. */
export function wakeJobId(job: WakeJob): string {
  return `${job.id}_${job.attempt}`;
}
