/** Whether somebody works here alone: who has company leaves room, who has none takes what there is. */
export interface Company {
  /** Somebody is at work. */
  note(name: string): void;
  /** Whether anybody but `name` was at work lately. */
  has(name: string): boolean;
}

/** For so long after its last work somebody is company to the others. */
const COMPANY_MS = 1_000;

/** Remembers the two names that came last, which is all that `has` needs. */
export function createCompany(nowMs: () => number = () => performance.now()): Company {
  let latest = { name: '', atMs: Number.NEGATIVE_INFINITY };
  let other = latest;
  return {
    note(name) {
      if (name !== latest.name) [latest, other] = [{ name, atMs: 0 }, latest];
      latest.atMs = nowMs();
    },
    has: (name) => (name === latest.name ? other : latest).atMs > nowMs() - COMPANY_MS,
  };
}
