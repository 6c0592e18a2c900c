import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** Where a test may end a gateway in the middle of a write. */
export type FailPointName = 'before_begin' | 'after_record' | 'after_write' | 'after_commit' | 'after_first_byte';

export interface FailPoints {
  reach(name: FailPointName, headers: IncomingHttpHeaders): Promise<void>;
  /** Sees to it that an answer breaks off after its first byte where that is asked for. */
  watch?(headers: IncomingHttpHeaders, res: ServerResponse): void;
}

/** What every gateway but a tested one has. */
export const NO_FAIL_POINTS: FailPoints = { reach: () => Promise.resolve() };
