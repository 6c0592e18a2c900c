/**
 * What a move of a database to another server goes through. Up to `switching` it can be taken back; the change of place
 * itself is one transaction, and behind it the way leads forward only.
 */
export const MOVE_STATES = ['queued', 'copying', 'comparing', 'switching', 'settling', 'undoing', 'done', 'failed', 'cancelled'] as const;
export type MoveState = (typeof MOVE_STATES)[number];

export const MOVE_END_STATES: readonly MoveState[] = ['done', 'failed', 'cancelled'];
