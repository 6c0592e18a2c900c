/** For how long one worker watches a server before it has to renew that. */
export const HOLD_LEASE_MS = 8_000;
