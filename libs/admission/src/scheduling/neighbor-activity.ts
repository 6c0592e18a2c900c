/** Records whether other tenants were active within the last second. */
export interface NeighborActivity {
  /** Records that a tenant is active. */
  note(name: string): void;
  /** Reports whether a tenant other than this one was active recently. */
  has(name: string): boolean;
}

/** The time in milliseconds for which a tenant counts as active after its last statement. */
const ACTIVE_MS = 1_000;

/**
 * Creates an activity record. It stores only the two tenants that were active last, which is sufficient for
 * `has`.
 */
export function createNeighborActivity(nowMs: () => number = () => performance.now()): NeighborActivity {
  let latest = { name: '', atMs: Number.NEGATIVE_INFINITY };
  let other = latest;
  return {
    note(name) {
      if (name !== latest.name) [latest, other] = [{ name, atMs: 0 }, latest];
      latest.atMs = nowMs();
    },
    has: (name) => (name === latest.name ? other : latest).atMs > nowMs() - ACTIVE_MS,
  };
}
