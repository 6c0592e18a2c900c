/**
 * Returns the input for the hash of a plan: where the plan starts and which statements it sends. Row counts
 * and strategies may change without changing the hash.
 */
export function hashInput(plan: {
  readonly database: string;
  readonly baseSnapshot: number;
  readonly steps: readonly {
    readonly class: string;
    readonly sql: string;
    readonly beforePublish: string | null;
    readonly afterPublish: string | null;
  }[];
}): string {
  return JSON.stringify([
    plan.database,
    plan.baseSnapshot,
    plan.steps.map((step) => [step.class, step.sql, step.beforePublish, step.afterPublish]),
  ]);
}
