import { MIGRATION_END_STATES } from '@rowhouse/contracts';

/** The states of migrations that have ended or not started, as a list for IN. */
export const AT_REST_STATES = [...MIGRATION_END_STATES, 'draft', 'queued']
  .map((state) => `'${state}'`)
  .join(',');
