// @ts-check
/**
 * The pure stages of a request. Each is a function that does the work of one request with a distinct path.
 */
import {
  authorizePlan,
  createRowSink,
  cacheShape,
  parseJson,
  parseRequest,
  planByShape,
  planRequest,
  toResponse,
  toStatements,
} from '@rowhouse/rest-engine';
import { compileSnapshot, nameSnapshot } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA } from '@rowhouse/schema-model/testing';

/** @typedef {{ name: string, run: (iteration: number) => unknown }} Stage */

const RIGHTS = /** @type {const} */ ({ tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} });
const compiled = compileSnapshot(nameSnapshot(EXAMPLE_SCHEMA, null), 1, /** @type {any} */ (RIGHTS));
const OPTIONS = {
  unknownFields: /** @type {const} */ ('reject'),
  requireLimit: false,
  regexEnabled: false,
  storedColumnsAt: () => null,
  sealText: (/** @type {string} */ text) => text,
  makeUuid: () => '11111111-2222-4333-8444-555555555555',
};
const HEADERS = { host: 'x', authorization: 'Bearer x' };
const digest = () => '0123456789012345678901';

/**
 * @param {string} method
 * @param {string} rawPath
 * @param {string} rawQuery
 * @param {string} [body]
 */
function plan(method, rawPath, rawQuery, body) {
  const request = parseRequest(
    { method, rawPath, rawQuery, headers: HEADERS, body: body === undefined ? undefined : parseJson(body) },
    compiled,
    { prefix: '/v1/-' },
  );
  const planned = authorizePlan(planRequest(request, OPTIONS), /** @type {any} */ (RIGHTS), []);
  return { planned, program: toStatements(planned, { insertReturning: true }, digest) };
}

/**
 * Plans a request like the gateway does after the same shape has been seen.
 * @param {string} method
 * @param {string} rawPath
 * @param {string} rawQuery
 * @param {string} [body]
 */
function planAgain(method, rawPath, rawQuery, body) {
  const raw = {
    method,
    rawPath,
    rawQuery,
    headers: HEADERS,
    body: body === undefined ? undefined : parseJson(body),
  };
  const known = planByShape(raw, compiled, '/v1/-', OPTIONS);
  if (known !== null)
    return toStatements(
      authorizePlan(known, /** @type {any} */ (RIGHTS), []),
      { insertReturning: true },
      digest,
    );
  const request = parseRequest(raw, compiled, { prefix: '/v1/-' });
  const planned = planRequest(request, OPTIONS);
  cacheShape(raw, request, planned, compiled, OPTIONS);
  const authorized = authorizePlan(planned, /** @type {any} */ (RIGHTS), []);
  return toStatements(authorized, { insertReturning: true }, digest);
}

/**
 * Returns the first statement of a write.
 * @param {string} method
 * @param {string} rawPath
 * @param {string} body
 */
export function planWrite(method, rawPath, body) {
  const [statement] = plan(method, rawPath, '', body).program.first.statements;
  if (statement === undefined) throw new Error('A write must have a statement');
  return statement;
}

/**
 * Returns the first statement of a read.
 * @param {string} rawPath
 * @param {string} rawQuery
 */
export function planStatement(rawPath, rawQuery) {
  const [statement] = plan('GET', rawPath, rawQuery).program.first.statements;
  if (statement === undefined) throw new Error('A read must have a statement');
  return statement;
}

const list = plan('GET', '/posts', 'id__lt=500&sort=-id&limit=20');
const records = /** @type {import('@rowhouse/rest-engine').Statement} */ (list.program.first.statements[0]);
const CELLS = Array.from(
  { length: 21 },
  (_, row) =>
    records.shape?.columns.map(({ kind }) =>
      kind === 'integer' || kind === 'boolean'
        ? row % 2
        : kind === 'timestamp'
          ? '2026-01-31 12:00:00'
          : 'some text that is as long as texts are',
    ) ?? [],
);

function respondList() {
  const sink = createRowSink(records, { numbers: 'json', textMax: 1e9 });
  for (const cells of CELLS) sink.row(cells);
  return toResponse(list.planned, [sink.end({ affectedRows: 0, insertId: null })], digest);
}

const created = plan('POST', '/posts', '', '{"title":"a title","content":"some text","user_id":1}');
const written = /** @type {import('@rowhouse/rest-engine').Statement} */ (
  created.program.first.statements[0]
);

/**
 * Returns the created row with its location and version.
 * @param {number} iteration
 */
function respondCreate(iteration) {
  const sink = createRowSink(written, { numbers: 'json', textMax: 1e9 });
  sink.row(
    written.shape?.columns.map(({ kind }) =>
      kind === 'integer' || kind === 'boolean'
        ? iteration
        : kind === 'timestamp'
          ? '2026-01-31 12:00:00'
          : 'some text',
    ) ?? [],
  );
  return toResponse(created.planned, [sink.end({ affectedRows: 1, insertId: null })], digest);
}

/** @type {readonly Stage[]} */
export const STAGES = [
  { name: 'plan one by id', run: (iteration) => plan('GET', `/posts/${iteration}`, '') },
  { name: 'plan a list', run: (iteration) => plan('GET', '/posts', `id__lt=${iteration}&sort=-id&limit=20`) },
  {
    name: 'plan a list with an include',
    run: (iteration) => plan('GET', '/posts', `id__lt=${iteration}&sort=-id&limit=20&include=comments.user`),
  },
  {
    name: 'plan one by id whose shape is known',
    run: (iteration) => planAgain('GET', `/posts/${iteration}`, ''),
  },
  {
    name: 'plan a list whose shape is known',
    run: (iteration) => planAgain('GET', '/posts', `id__lt=${iteration}&sort=-id&limit=20`),
  },
  {
    name: 'plan a create',
    run: (iteration) =>
      plan(
        'POST',
        '/posts',
        '',
        `{"title":"title ${iteration}","content":"some text","user_id":${iteration}}`,
      ),
  },
  {
    name: 'plan an update',
    run: (iteration) => plan('PATCH', `/posts/${iteration}`, '', `{"title":"title ${iteration}"}`),
  },
  {
    name: 'plan a create whose shape is known',
    run: (iteration) =>
      planAgain(
        'POST',
        '/posts',
        '',
        `{"title":"title ${iteration}","content":"some text","user_id":${iteration}}`,
      ),
  },
  {
    name: 'plan an update whose shape is known',
    run: (iteration) => planAgain('PATCH', `/posts/${iteration}`, '', `{"title":"title ${iteration}"}`),
  },
  {
    name: 'plan a delete whose shape is known',
    run: (iteration) => planAgain('DELETE', `/posts/${iteration}`, ''),
  },
  {
    name: 'plan 20 records at once',
    run: (iteration) =>
      plan(
        'POST',
        '/comments',
        '',
        `[${Array.from({ length: 20 }, (_, index) => `{"content":"comment ${iteration}-${index}","user_id":${index + 1},"post_id":${iteration + 1}}`).join(',')}]`,
      ),
  },
  {
    name: 'read the body of a create',
    run: (iteration) =>
      parseJson(`{"title":"title ${iteration}","content":"some text","user_id":${iteration}}`),
  },
  { name: 'answer a create from cells', run: respondCreate },
  { name: 'answer a list of 20 from cells', run: respondList },
];
