import {
  compileSnapshot,
  compileTablesSteps,
  doSteps,
  mapTables,
  toUrlPath,
  type Snapshot,
  type Steps,
} from '@rowhouse/schema-model';
import { emitBatchParameters, emitBatchPath, emitBatchSchemas } from './batch-path.js';
import { dropUnusedSteps } from './drop-unused.js';
import { emitGeometrySchemas } from './geometry-schemas.js';
import { toParameterName, type Json, type JsonObject, type OpenApiOptions } from './openapi-types.js';
import { emitRelatedSchemas } from './related-members.js';
import { emitSearchBody, emitSearchSchema } from './search-body.js';
import { emitServicePaths } from './service-paths.js';
import { emitServiceSchemas } from './service-schemas.js';
import {
  emitSecuritySchemes,
  emitSharedHeaders,
  emitSharedResponses,
  emitSharedSchemas,
} from './shared-components.js';
import { emitSharedParameters } from './shared-parameters.js';
import { emitTableAnswers, emitTableBodies } from './table-answers.js';
import { emitTablePaths } from './table-paths.js';
import { describeTable, emitTableSchemas } from './table-schemas.js';
import { toSchemaNames } from './to-schema-names.js';

/** Matches text that begins HTML, or that ends the text of a link or image in Markdown. */
const MARKUP = /<|\](?=[(:])/g;

const INTRODUCTION = [
  'The REST API of one database, generated from its schema. It changes with the schema.',
  'Requests and responses are JSON. Lists return arrays. The `X-Has-More` and `Link` headers ' +
    'indicate more pages.',
  'Numbers keep all their digits. Unknown parameters and fields get a 422. Other errors have ' +
    'the schema `Error`. Each operation lists their statuses. Any operation can also return 405, ' +
    '406, 408, 413, 414, 415, 431, 500, 504 or 507.',
  'Some parameters and preferences change the response: `_select`, `_omit`, `_distinct`, ' +
    '`_aggregate`, `_explain`, `return=minimal` and `numbers=string`. The schemas describe the ' +
    'response without them.',
  'With `Accept: application/x-ndjson` or `text/csv`, a list streams all its records, or as ' +
    'many as `limit` allows.',
  'You can also create records from `application/x-ndjson` or `text/csv`, with one record per ' +
    'line. Without a preference, they are stored like an array, in one transaction. With ' +
    '`Prefer: on-error=stop` or `on-error=continue`, you can send any number of records. They ' +
    'are stored in parts, and the response is a 200 with a report in NDJSON.',
  'Included records have options, such as `include[name][limit]`. The second brackets hold ' +
    '`limit`, `sort`, `_select`, `_omit`, `_filter`, `where`, `created_after` or a filter.',
  'HEAD returns the headers of GET without a body. Every response has `X-Request-Id`. With ' +
    '`Accept: application/problem+json`, errors have the format of RFC 9457. If the key or the ' +
    'database has a rate limit, the headers `RateLimit-Limit`, `RateLimit-Remaining` and ' +
    '`RateLimit-Reset` report it. 429 and 503 have `Retry-After`.',
].join('\n\n');

/** Returns the OpenAPI document without pauses. */
export function emitOpenApi(snapshot: Snapshot, options: OpenApiOptions): JsonObject {
  return doSteps(emitOpenApiSteps(snapshot, options));
}

/**
 * Builds the OpenAPI 3.1 document of a snapshot as plain JSON. It contains only what `options.rights` allow.
 * Tables without any usable right are omitted. For equal input, the output has the same bytes.
 */
export function* emitOpenApiSteps(snapshot: Snapshot, options: OpenApiOptions): Steps<JsonObject> {
  const compiled = compileSnapshot(snapshot, Number(options.version) || 0, options.rights);
  const tables = (yield* compileTablesSteps(compiled)).filter((table) => table.verbs.length > 0);
  const names = toSchemaNames(tables);
  const paths: Record<string, JsonObject> = {};
  const schemas: Record<string, JsonObject> = escapeDescriptions({
    ...emitSharedSchemas(),
    ...emitServiceSchemas(),
    ...emitBatchSchemas(),
    ...emitRelatedSchemas(),
    ...emitSearchSchema(),
    ...emitGeometrySchemas(),
  });
  const responses: Record<string, JsonObject> = escapeDescriptions(emitSharedResponses());
  const requestBodies: Record<string, JsonObject> = escapeDescriptions(emitSearchBody());
  yield* mapTables(tables, (table) => {
    const own = names.get(table);
    if (own === undefined) return;
    Object.assign(paths, escapeDescriptions(emitTablePaths(table, own, options)));
    Object.assign(schemas, escapeDescriptions(emitTableSchemas(table, names, options)));
    Object.assign(responses, escapeDescriptions(emitTableAnswers(table, own)));
    Object.assign(requestBodies, escapeDescriptions(emitTableBodies(table, own)));
  });
  const [firstTable] = tables;
  const serviceTag = toServiceTag(compiled.tableNames);
  Object.assign(
    paths,
    escapeDescriptions({
      ...emitServicePaths(serviceTag),
      ...(firstTable === undefined ? {} : emitBatchPath(serviceTag, toUrlPath(firstTable.path))),
    }),
  );
  const serverUrl = options.serverUrl.replace(/\/+$/, '') || '/';
  return yield* dropUnusedSteps({
    openapi: '3.1.1',
    info: escapeDescriptions(emitInfo(options, serverUrl)),
    servers: [{ url: serverUrl, description: 'This server' }],
    security: [{ bearerKey: [] }, { headerKey: [] }, { gibsonHeaderKey: [] }],
    tags: [
      ...tables.map((table) =>
        escapeDescriptions<JsonObject>({ name: table.name, description: describeTable(table) }),
      ),
      { name: serviceTag, description: 'Queries, the schema and health.' },
    ],
    paths,
    components: {
      securitySchemes: escapeDescriptions(emitSecuritySchemes()),
      parameters: escapeDescriptions(
        nameParameters({ ...emitSharedParameters(options), ...emitBatchParameters() }),
      ),
      headers: escapeDescriptions(emitSharedHeaders()),
      responses,
      requestBodies,
      schemas,
    },
  });
}

function emitInfo(options: OpenApiOptions, serverUrl: string): JsonObject {
  const title = options.title === '' ? 'Database API' : options.title;
  return {
    title,
    version: options.version,
    summary: 'REST API for one database',
    description: INTRODUCTION,
    contact: { name: title, url: serverUrl },
    license: toLicense(options),
  };
}

/**
 * The license of the document if the project has no setting for it. SPDX uses the prefix `LicenseRef-` for
 * licenses that are not on its list.
 */
const NO_LICENSE: JsonObject = { name: 'No license stated', identifier: 'LicenseRef-Not-Stated' };

function toLicense({ settings: { license = null } }: OpenApiOptions): JsonObject {
  if (license === null) return NO_LICENSE;
  const { name, identifier, url } = license;
  return { name, ...(url === undefined ? {} : { url }), ...(identifier === undefined ? {} : { identifier }) };
}

function nameParameters(parameters: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [toParameterName(name), parameter]),
  );
}

/** Returns the tag for endpoints that do not belong to a table. It must not be the name of a table. */
function toServiceTag(tableNames: readonly string[]): string {
  // Table names have at most 64 characters, so this longer tag cannot be one.
  return tableNames.includes('Database')
    ? 'The endpoints of the database that do not belong to any of its tables'
    : 'Database';
}

/**
 * Escapes the descriptions in a document. They are Markdown, and contain comments and names that users chose.
 * No comment or name may become HTML, a link or an image.
 */
function escapeDescriptions<T extends Json>(node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node))
    return (node as readonly Json[]).map((item) => escapeDescriptions(item)) as unknown as T;
  const entries = Object.entries(node as JsonObject).map(([name, value]) => {
    const isText = (name === 'description' || name === 'summary') && typeof value === 'string';
    return [name, isText ? value.replace(MARKUP, '\\$&') : escapeDescriptions(value)] as const;
  });
  return Object.fromEntries(entries) as unknown as T;
}
