import type { RebuildDetails } from './rebuild-details.js';

/** The phases of a rebuild, in order. A run that takes over repeats the recorded phase. */
export const REBUILD_PHASES = [
  'prepare',
  'capture',
  'copy',
  'attach',
  'verify',
  'repoint',
  'swap',
  'finish',
] as const;
export type RebuildPhase = (typeof REBUILD_PHASES)[number];

export interface RebuildCheckpoint {
  readonly phase: RebuildPhase;
  /** Null until `prepare` has collected them. */
  readonly facts: RebuildDetails | null;
  /**
   * The progress of copy or verification: the member, the key after which it continues (null: its
   * beginning), and the number of rows.
   */
  readonly position: RebuildPosition;
  /** Recorded just before the swap. If it is interrupted, the triggers may be on neither table. */
  readonly triggers: readonly UserTrigger[];
}

export interface RebuildPosition {
  readonly at: number;
  readonly after: readonly string[] | null;
  readonly rowsDone: number;
}

/** A trigger that a user created. */
export interface UserTrigger {
  readonly table: string;
  readonly name: string;
  readonly timing: string;
  readonly event: string;
  /** The text after FOR EACH ROW. */
  readonly body: string;
  /** `user`@`host`, quoted. */
  readonly definer: string;
  readonly sqlMode: string;
  readonly collation: string;
  readonly databaseCollation: string;
}

export const FIRST_POSITION: RebuildPosition = { at: 0, after: null, rowsDone: 0 };
export const FIRST_CHECKPOINT: RebuildCheckpoint = {
  phase: 'prepare',
  facts: null,
  position: FIRST_POSITION,
  triggers: [],
};
