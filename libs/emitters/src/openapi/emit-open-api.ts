import { compileSnapshot, type CompiledTable, type Snapshot } from '@rowhouse/schema-model';
import { emitBatchParameters, emitBatchPath, emitBatchSchemas } from './batch-path.js';
import { refTo, type JsonObject, type OpenApiOptions } from './openapi-types.js';
import { emitRelatedSchemas } from './related-members.js';
import { emitServicePaths, emitServiceSchemas } from './service-paths.js';
import { emitSecuritySchemes, emitSharedHeaders, emitSharedParameters, emitSharedResponses, emitSharedSchemas } from './shared-components.js';
import { emitTablePaths } from './table-paths.js';
import { describeTable, emitTableSchemas } from './table-schemas.js';
import { toSchemaNames } from './to-schema-names.js';

const INTRODUCTION = [
  'The REST API of one database, generated from its schema: it changes when the schema does.',
  'Bodies are JSON in both directions. Lists are bare arrays; where more records follow, `X-Has-More` and `Link` say so.',
  'Numbers keep their exact digits. Text that is not known is refused with 422, never ignored.',
].join('\n\n');

/**
 * The OpenAPI 3.1 document of a snapshot as `options.rights` may see it. Plain JSON; equal input gives equal bytes.
 * Tables without a right that a request could use have no part in it.
 */
export function emitOpenApi(snapshot: Snapshot, options: OpenApiOptions): JsonObject {
  const compiled = compileSnapshot(snapshot, Number(options.version) || 0, options.rights);
  const tables = compiled.tableNames
    .map((name) => compiled.findByName(name))
    .filter((table): table is CompiledTable => table !== null && table.verbs.length > 0);
  const names = toSchemaNames(tables);
  const paths: Record<string, JsonObject> = {};
  const schemas: Record<string, JsonObject> = { ...emitSharedSchemas(), ...emitServiceSchemas(), ...emitBatchSchemas(), ...emitRelatedSchemas() };
  for (const table of tables) {
    const own = names.get(table);
    if (own === undefined) continue;
    Object.assign(paths, emitTablePaths(table, own, options));
    Object.assign(schemas, emitTableSchemas(table, names, options));
  }
  const serviceTag = toServiceTag(compiled.tableNames);
  Object.assign(paths, emitServicePaths(serviceTag), tables.length === 0 ? {} : emitBatchPath(serviceTag));
  return dropUnused({
    openapi: '3.1.1',
    info: {
      title: options.title === '' ? 'Database API' : options.title,
      version: options.version,
      summary: 'REST API of a database.',
      description: INTRODUCTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: options.serverUrl.replace(/\/+$/, '') || '/', description: 'This installation.' }],
    security: [{ bearerKey: [] }, { headerKey: [] }, { gibsonHeaderKey: [] }],
    tags: [
      ...tables.map((table) => ({ name: table.name, description: describeTable(table) })),
      { name: serviceTag, description: 'Queries, the schema and health.' },
    ],
    paths,
    components: {
      securitySchemes: emitSecuritySchemes(),
      parameters: { ...emitSharedParameters(options), ...emitBatchParameters() },
      headers: emitSharedHeaders(),
      responses: emitSharedResponses(),
      schemas,
    },
  });
}

/** One that no table has. */
function toServiceTag(tableNames: readonly string[]): string {
  // Longer than the 64 characters of a table's name.
  return tableNames.includes('Database') ? 'The endpoints that every database has beside those of its tables' : 'Database';
}

const KINDS = ['parameters', 'headers', 'responses', 'schemas'] as const;

/** Without the shared components that nothing in this document points at, until none is left. */
function dropUnused(document: JsonObject): JsonObject {
  const components = document['components'] as Readonly<Record<string, JsonObject>>;
  const text = JSON.stringify(document);
  const kept: Record<string, JsonObject> = { ...components };
  let hasDropped = false;
  for (const kind of KINDS) {
    const entries = Object.entries(components[kind] ?? {});
    const used = entries.filter(([name]) => text.includes(JSON.stringify(refTo(kind, name)).slice(1, -1)));
    hasDropped ||= used.length < entries.length;
    if (used.length === 0) delete kept[kind];
    else kept[kind] = Object.fromEntries(used);
  }
  const result = { ...document, components: kept };
  return hasDropped ? dropUnused(result) : result;
}
