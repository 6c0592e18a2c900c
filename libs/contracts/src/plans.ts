/** What a database gets. The operator gives a database its plan; none is told from where it came. */
export interface PlanLimits {
  /** Days that lines of the request log are kept, and usage by the minute. */
  readonly requestLogDays: number;
  readonly usageDays: number;
  /** Of data and indexes on the server's disk; null: no quota. */
  readonly storageBytesMax: number | null;
}

const GIBIBYTE = 1024 ** 3;

export const PLAN_NAMES = ['standard', 'large', 'unlimited'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

export const PLANS: Readonly<Record<PlanName, PlanLimits>> = {
  standard: { requestLogDays: 14, usageDays: 100, storageBytesMax: 10 * GIBIBYTE },
  large: { requestLogDays: 30, usageDays: 400, storageBytesMax: 500 * GIBIBYTE },
  unlimited: { requestLogDays: 30, usageDays: 400, storageBytesMax: null },
};
