/**
 * The maximum number of sessions that one connection user may have at the same time. The database servers
 * enforce it.
 */
export const USER_SESSIONS_MAX = 20;

/**
 * The maximum number of active connection users for a database. The sessions of these users take part of the
 * limited sessions of a shared server.
 */
export const CONNECTION_USERS_MAX = 20;
/** The limits of a plan, which the operator assigns to each database. */
export interface PlanLimits {
  /** The number of days for which lines of the request log and usage per minute are stored. */
  readonly requestLogDays: number;
  readonly usageDays: number;
  /**
   * The maximum size in bytes of data and indexes on the server's disk. Null means that the size is not
   * limited.
   */
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
