import type { CompiledSnapshot } from './compiled-snapshot.js';

export interface SchemaHeading {
  readonly project: string;
  readonly database: string;
}

/** The body of GET /v1/-/schema: plain JSON, free of what the rights hide and of DEFINER. */
export function describeSchema(_compiled: CompiledSnapshot, _heading: SchemaHeading): Record<string, unknown> {
  throw new Error("not filled in");
}
