import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** The points at which a test can stop a gateway during a write. */
export type FailPointName =
  | 'before_begin'
  | 'after_record'
  | 'after_write'
  | 'after_commit'
  | 'after_first_byte';

export interface FailPoints {
  reach(name: FailPointName, headers: IncomingHttpHeaders): Promise<void>;
  /** Makes a response break off after its first byte, if the request asks for it. */
  watch?(headers: IncomingHttpHeaders, res: ServerResponse): void;
}

/** The fail points of every gateway outside of tests. */
export const NO_FAIL_POINTS: FailPoints = { reach: () => Promise.resolve() };
