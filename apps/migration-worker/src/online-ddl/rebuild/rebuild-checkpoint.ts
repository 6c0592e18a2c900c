import type { RebuildFacts } from './rebuild-facts.js';

/** What a rebuild does, one behind the other. A run that is taken over begins again with the phase that is noted. */
export const REBUILD_PHASES = ['prepare', 'capture', 'copy', 'attach', 'verify', 'repoint', 'swap', 'finish'] as const;
export type RebuildPhase = (typeof REBUILD_PHASES)[number];

export interface RebuildCheckpoint {
  readonly phase: RebuildPhase;
  /** Null until `prepare` has found them. */
  readonly facts: RebuildFacts | null;
  /** How far copy or verification is: the member, the key behind which it goes on (null: its beginning), rows so far. */
  readonly position: RebuildPosition;
  /** Noted just before the swap: where it ends half-way, they are on neither table. */
  readonly triggers: readonly UserTrigger[];
}

export interface RebuildPosition {
  readonly at: number;
  readonly after: readonly string[] | null;
  readonly rowsDone: number;
}

/** A trigger of the user's. */
export interface UserTrigger {
  readonly table: string;
  readonly name: string;
  readonly timing: string;
  readonly event: string;
  /** Behind FOR EACH ROW. */
  readonly body: string;
  /** `user`@`host`, quoted. */
  readonly definer: string;
  readonly sqlMode: string;
  readonly collation: string;
  readonly databaseCollation: string;
}

export const FIRST_POSITION: RebuildPosition = { at: 0, after: null, rowsDone: 0 };
export const FIRST_CHECKPOINT: RebuildCheckpoint = { phase: 'prepare', facts: null, position: FIRST_POSITION, triggers: [] };
