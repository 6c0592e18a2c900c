import type { CompiledTable, Steps } from '@rowhouse/schema-model';
import { isJsonArray, isJsonNumber, isJsonObject } from '../request/json-value.js';
import type { JsonArray, JsonObject, JsonValue } from '../request/json-value.js';
import { quoteJson, serializeJson } from '../request/serialize-json.js';

/** A JSON document in the form that a column stores. */
export interface PreparedDocument {
  readonly text: string;
  /** The nesting depth of the document. It is 1 if the document contains no other containers. */
  readonly depth: number;
}

/** The number of values that are written in one step, which takes about a millisecond. */
const VALUES_PER_STEP = 4_096;

const prepared = new WeakMap<object, PreparedDocument>();

/**
 * Returns the prepared text of a document. Returns undefined if `prepareDocumentsSteps` did not prepare it.
 */
export function findPrepared(value: JsonValue): PreparedDocument | undefined {
  return typeof value === 'object' && value !== null ? prepared.get(value) : undefined;
}

/**
 * Writes the documents in a body for the JSON columns of a table, several thousand values in each step.
 * Planning then uses the prepared texts. `body` is a record or a list of records. Other bodies are ignored
 * here, because the plan rejects them.
 */
export function* prepareDocumentsSteps(table: CompiledTable, body: JsonValue): Steps<void> {
  const columns = table.columns.filter((column) => column.valueKind === 'json');
  if (columns.length === 0) return;
  const budget = { left: VALUES_PER_STEP };
  for (const record of isJsonArray(body) ? body : [body]) {
    if (!isJsonObject(record)) continue;
    for (const column of columns) {
      const value = record.get(column.name);
      if (value !== undefined && isContainer(value)) prepared.set(value, yield* writeSteps(value, budget));
    }
  }
}

function isContainer(value: JsonValue): value is JsonArray | JsonObject {
  return isJsonArray(value) || isJsonObject(value);
}

interface Budget {
  left: number;
}

function* writeSteps(container: JsonArray | JsonObject, budget: Budget): Steps<PreparedDocument> {
  const chunks: string[] = [];
  let texts: string[] = [];
  let depth = 0;
  const names = isJsonArray(container) ? null : container.keys();
  for (const value of container.values()) {
    const name = names === null ? '' : `${quoteJson(names.next().value ?? '')}:`;
    if (value === null || typeof value !== 'object' || isJsonNumber(value))
      texts.push(`${name}${serializeJson(value)}`);
    else {
      const inner = yield* writeSteps(value, budget);
      depth = Math.max(depth, inner.depth);
      texts.push(`${name}${inner.text}`);
    }
    budget.left -= 1;
    if (budget.left > 0) continue;
    budget.left = VALUES_PER_STEP;
    chunks.push(texts.join(','));
    texts = [];
    yield;
  }
  if (texts.length > 0) chunks.push(texts.join(','));
  const text = chunks.join(',');
  return { text: names === null ? `[${text}]` : `{${text}}`, depth: depth + 1 };
}
