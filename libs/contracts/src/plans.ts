/** The limits of a plan. The operator assigns a plan to each database. */
export interface PlanLimits {
  /** The number of days for which request log lines and per-minute usage are stored. */
  readonly requestLogDays: number;
  readonly usageDays: number;
  /** The maximum size of data and indexes on the server's disk. Null means no quota. */
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
