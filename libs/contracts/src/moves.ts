/**
 * The states of a database move to another server. It can be cancelled until `switching`. The switch itself
 * is one transaction and cannot be undone.
 */
export const MOVE_STATES = [
  'queued',
  'copying',
  'comparing',
  'switching',
  'settling',
  'undoing',
  'done',
  'failed',
  'cancelled',
] as const;
export type MoveState = (typeof MOVE_STATES)[number];

export const MOVE_END_STATES: readonly MoveState[] = ['done', 'failed', 'cancelled'];
