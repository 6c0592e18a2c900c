/** The number of sessions that a connection user may hold at once. The servers enforce the limit. */
export const USER_SESSIONS_MAX = 20;

/**
 * The maximum number of active connection users of a database. Each holds sessions on a shared server, whose
 * sessions are limited.
 */
export const CONNECTION_USERS_MAX = 20;
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
