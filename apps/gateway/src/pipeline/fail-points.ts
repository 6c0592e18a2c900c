import type { IncomingHttpHeaders } from 'node:http';

/** Where a test may end a gateway in the middle of a write. */
export type FailPointName = 'before_begin' | 'after_record' | 'after_write' | 'after_commit';

export interface FailPoints {
  reach(name: FailPointName, headers: IncomingHttpHeaders): Promise<void>;
}

/** What every gateway but a tested one has. */
export const NO_FAIL_POINTS: FailPoints = { reach: () => Promise.resolve() };
