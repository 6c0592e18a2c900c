const HOUR_SECONDS = 3_600;

/** How long the previous credential stays valid, in seconds. */
export const OVERLAP_CHOICES: readonly { value: string; label: string }[] = [
  { value: '0', label: 'Not at all' },
  { value: String(HOUR_SECONDS), label: 'For an hour' },
  { value: String(24 * HOUR_SECONDS), label: 'For a day' },
  { value: String(7 * 24 * HOUR_SECONDS), label: 'For a week' },
  { value: String(30 * 24 * HOUR_SECONDS), label: 'For 30 days' },
];

/** A day. */
export const USUAL_OVERLAP = String(24 * HOUR_SECONDS);
