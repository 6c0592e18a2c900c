import { isJsonObject, type JsonObject, type JsonValue } from '@rowhouse/rest-engine';

/** Returns one operation of a batch. */
export function toOperation(
  method: 'PATCH' | 'DELETE',
  path: string,
  body: JsonValue | null,
  ifMatch: JsonValue | null,
): JsonObject {
  const operation = new Map<string, JsonValue>([
    ['method', method],
    ['path', path],
  ]);
  if (body !== null) operation.set('body', body);
  if (ifMatch !== null) operation.set('if_match', ifMatch);
  return operation;
}

/** Returns the records of a batch response, or null when an operation returns none. */
export function listBodies(answer: JsonValue | null): JsonValue | null {
  if (!Array.isArray(answer)) return null;
  const bodies = (answer as readonly JsonValue[]).map((item) =>
    isJsonObject(item) ? (item.get('body') ?? null) : null,
  );
  return bodies.every((body) => body !== null) ? bodies : null;
}
