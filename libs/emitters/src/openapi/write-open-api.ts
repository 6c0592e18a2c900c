import type { Snapshot, Steps } from '@rowhouse/schema-model';
import { emitOpenApiSteps } from './emit-open-api.js';
import type { Json, JsonObject, OpenApiOptions } from './openapi-types.js';

/** A millisecond of work, about. */
const BYTES_PER_STEP = 256 * 1024;

/** The text of the document that `emitOpenApi` gives, as JSON.stringify would write it. */
export function* writeOpenApiSteps(snapshot: Snapshot, options: OpenApiOptions): Steps<string> {
  const { paths, components, ...rest } = yield* emitOpenApiSteps(snapshot, options);
  const parts: string[] = [];
  let bytes = 0;
  const write = function* (entries: readonly (readonly [string, Json])[]): Steps<string> {
    const members: string[] = [];
    for (const [name, value] of entries) {
      const text = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
      members.push(text);
      bytes += text.length;
      if (bytes < BYTES_PER_STEP) continue;
      bytes = 0;
      yield;
    }
    return `{${members.join(',')}}`;
  };
  for (const [name, value] of Object.entries(rest)) parts.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  parts.push(`"paths":${yield* write(Object.entries(paths as JsonObject))}`);
  const kinds: string[] = [];
  for (const [kind, entries] of Object.entries(components as JsonObject)) kinds.push(`${JSON.stringify(kind)}:${yield* write(Object.entries(entries as JsonObject))}`);
  return `{${[...parts, `"components":{${kinds.join(',')}}`].join(',')}}`;
}
