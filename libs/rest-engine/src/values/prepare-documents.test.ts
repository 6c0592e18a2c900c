import type { CompiledTable } from '@rowhouse/schema-model';
import { expect, it } from 'vitest';
import { isJsonObject } from '../request/json-value.js';
import { parseJson } from '../request/parse-json.js';
import { serializeJson } from '../request/serialize-json.js';
import { findPrepared, prepareDocumentsSteps } from './prepare-documents.js';

const TABLE = {
  columns: [
    { name: 'v', valueKind: 'json' },
    { name: 'w', valueKind: 'set' },
  ],
} as unknown as CompiledTable;

/**
 * Prepares the documents of a body. Returns the document prepared for the first record, and the number of
 * steps.
 */
function prepare(text: string): { found: unknown; steps: number; whole: string } {
  const body = parseJson(text);
  const steps = [...prepareDocumentsSteps(TABLE, body)].length;
  const record = Array.isArray(body) ? (body as unknown[])[0] : body;
  const value = isJsonObject(record as never) ? (record as ReadonlyMap<string, never>).get('v') : undefined;
  return {
    found: value === undefined ? undefined : findPrepared(value),
    steps,
    whole: value === undefined ? '' : serializeJson(value),
  };
}

it.each([
  ['[]', 1],
  ['{}', 1],
  ['[1,1.10,"a\\"b",null,true]', 1],
  ['{"a":{"b":[{"c":-0.0}]},"é\\n":[]}', 4],
  [`[${'[7],'.repeat(20_000)}{"a":{}}]`, 3],
])('a JSON document prepared in steps equals one that was prepared at once: %.40s', (document, depth) => {
  for (const text of [`{"v":${document}}`, `[{"v":${document}},{"v":1}]`]) {
    const { found, whole } = prepare(text);
    expect(found).toEqual({ text: whole, depth });
  }
});

it('a long JSON document is prepared in many steps', () => {
  expect(prepare(`{"v":[${'1,'.repeat(100_000)}1]}`).steps).toBe(24);
  expect(prepare('{"v":[1,2]}').steps).toBe(0);
});

it('prepareDocumentsSteps ignores values that are not documents of JSON columns', () => {
  expect([prepare('{"v":"x"}').found, prepare('{"w":["a"]}').found, prepare('7').found]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
