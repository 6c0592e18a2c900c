import type { Snapshot, Steps } from '@rowhouse/schema-model';
import { emitOpenApiSteps } from './emit-open-api.js';
import type { Json, JsonObject, OpenApiOptions } from './openapi-types.js';

/** The number of bytes per step, which takes about a millisecond. */
const BYTES_PER_STEP = 256 * 1024;

/**
 * Writes the document in pieces, with the same text as
 * JSON.stringify, since hundreds of tables give several megabytes.
 */
export function* writeOpenApiSteps(snapshot: Snapshot, options: OpenApiOptions): Steps<readonly string[]> {
  const { paths, components, ...rest } = yield* emitOpenApiSteps(snapshot, options);
  const pieces: string[] = [`${JSON.stringify(rest).slice(0, -1)},"paths":{`];
  yield* writeMembers(Object.entries(paths as JsonObject), pieces);
  pieces.push('},"components":{');
  for (const [at, [kind, entries]] of Object.entries(components as JsonObject).entries()) {
    pieces.push(`${at === 0 ? '' : ','}${JSON.stringify(kind)}:{`);
    yield* writeMembers(Object.entries(entries as JsonObject), pieces);
    pieces.push('}');
  }
  pieces.push('}}');
  return pieces;
}

function* writeMembers(entries: readonly (readonly [string, Json])[], pieces: string[]): Steps<undefined> {
  let members: string[] = [];
  let bytes = 0;
  for (const [at, [name, value]] of entries.entries()) {
    const text = `${at === 0 ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`;
    members.push(text);
    bytes += text.length;
    if (bytes < BYTES_PER_STEP) continue;
    pieces.push(members.join(''));
    members = [];
    bytes = 0;
    yield;
  }
  pieces.push(members.join(''));
  return undefined;
}
