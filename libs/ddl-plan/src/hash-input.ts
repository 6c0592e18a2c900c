/** What the hash of a plan covers: where it starts and what it sends. Rows counted and strategies found may change without it. */
export function hashInput(plan: {
  readonly database: string;
  readonly baseSnapshot: number;
  readonly steps: readonly { readonly class: string; readonly sql: string; readonly beforePublish: string | null; readonly afterPublish: string | null }[];
}): string {
  return JSON.stringify([plan.database, plan.baseSnapshot, plan.steps.map((step) => [step.class, step.sql, step.beforePublish, step.afterPublish])]);
}
