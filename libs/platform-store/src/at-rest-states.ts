import { MIGRATION_END_STATES } from '@rowhouse/contracts';

/** States of a migration that has ended or not begun, as a list for IN. */
export const AT_REST_STATES = [...MIGRATION_END_STATES, 'draft', 'queued'].map((state) => `'${state}'`).join(',');
