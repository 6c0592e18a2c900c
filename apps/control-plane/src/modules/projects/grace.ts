/** What is deleted can be brought back for this long, and takes its place until then. */
export const GRACE_MS = 7 * 86_400_000;
