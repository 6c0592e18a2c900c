/**
 * Prints the CPU time for planning a request, with and without its shape in the cache (ADR 0076). Run it
 * after a build: `node libs/rest-engine/test/measure-shapes.mjs`.
 */
import { compileSnapshot, nameSnapshot } from '../../schema-model/dist/index.js';
import { EXAMPLE_SCHEMA } from '../../schema-model/dist/testing/index.js';
import { cacheShape, parseJson, parseRequest, planByShape, planRequest } from '../dist/index.js';

const RUNS = 200_000;
const PREFIX = '/v1/-';
const rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} };
const compiled = compileSnapshot(nameSnapshot(EXAMPLE_SCHEMA, null), 1, rights);
const options = {
  unknownFields: 'reject',
  requireLimit: false,
  regexEnabled: false,
  storedColumnsAt: () => null,
  sealText: (text) => text,
  makeUuid: () => 'u',
};
const requests = [
  { method: 'GET', rawPath: '/posts/5', rawQuery: '' },
  { method: 'GET', rawPath: '/posts', rawQuery: 'user_id=2&title__like=a%25&sort=-id&limit=20' },
  { method: 'POST', rawPath: '/tags', rawQuery: '', body: parseJson('{"name":"x"}') },
];

/** Returns the CPU time of one call of `callback` in microseconds. */
function measure(callback) {
  for (let run = 0; run < RUNS / 10; run += 1) callback();
  const start = process.cpuUsage();
  for (let run = 0; run < RUNS; run += 1) callback();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) / RUNS).toFixed(2);
}

for (const request of requests) {
  const raw = { headers: {}, body: undefined, ...request };
  const parsed = parseRequest(raw, compiled, { prefix: PREFIX });
  cacheShape(raw, parsed, planRequest(parsed, options), compiled, options);
  console.log(
    `${raw.method} ${raw.rawPath}?${raw.rawQuery}`,
    measure(() => planRequest(parseRequest(raw, compiled, { prefix: PREFIX }), options)),
    measure(() => planByShape(raw, compiled, PREFIX, options)),
  );
}
