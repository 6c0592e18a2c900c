/** How long deleted projects and databases can be restored. They count for limits until then. */
export const GRACE_MS = 7 * 86_400_000;
