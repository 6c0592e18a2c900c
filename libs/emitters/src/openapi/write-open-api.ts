import type { Snapshot, Steps } from '@rowhouse/schema-model';
import { emitOpenApiSteps } from './emit-open-api.js';
import type { Json, JsonObject, OpenApiOptions } from './openapi-types.js';

/** The number of bytes that are written in each step, which takes about a millisecond. */
const BYTES_PER_STEP = 256 * 1024;

/**
 * Writes the document in pieces, because hundreds of tables result in several megabytes. The text is the same
 * as that of JSON.stringify.
 */
export function* writeOpenApiSteps(snapshot: Snapshot, options: OpenApiOptions): Steps<readonly string[]> {
  const { paths, components, ...rest } = yield* emitOpenApiSteps(snapshot, options);
  const chunks: string[] = [`${JSON.stringify(rest).slice(0, -1)},"paths":{`];
  yield* writeMembers(Object.entries(paths as JsonObject), chunks);
  chunks.push('},"components":{');
  for (const [index, [kind, entries]] of Object.entries(components as JsonObject).entries()) {
    chunks.push(`${index === 0 ? '' : ','}${JSON.stringify(kind)}:{`);
    yield* writeMembers(Object.entries(entries as JsonObject), chunks);
    chunks.push('}');
  }
  chunks.push('}}');
  return chunks;
}

function* writeMembers(entries: readonly (readonly [string, Json])[], chunks: string[]): Steps<undefined> {
  let members: string[] = [];
  let bytes = 0;
  for (const [index, [name, value]] of entries.entries()) {
    const text = `${index === 0 ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`;
    members.push(text);
    bytes += text.length;
    if (bytes < BYTES_PER_STEP) continue;
    chunks.push(members.join(''));
    members = [];
    bytes = 0;
    yield;
  }
  chunks.push(members.join(''));
  return undefined;
}
