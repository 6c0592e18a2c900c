/**
 * A job notification names the row to read. The row decides what to do, so a lost or repeated notification is
 * harmless.
 */
export type JobNotification =
  | { readonly kind: 'migration'; readonly id: string; readonly attempt: number }
  | { readonly kind: 'task'; readonly id: string; readonly attempt: number };

/**
 * Returns the BullMQ id of a job. BullMQ never runs a completed id again, so the id contains the attempt. It
 * must not contain `:`.
 */
export function jobNotificationId(job: JobNotification): string {
  return `${job.id}_${job.attempt}`;
}
