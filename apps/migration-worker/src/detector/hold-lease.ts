/** How long one worker watches a server before it must renew the lease. */
export const HOLD_LEASE_MS = 8_000;
