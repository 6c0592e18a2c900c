import type { SchedulingServices } from '@rowhouse/admission';
import { faultAt, validationError } from '@rowhouse/errors';
import { describeSchemaSteps, runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { onLiveSchema, type LiveSchemaServices } from '../schema/on-live-schema.js';
import { openTenant, requireScope, type RequestServices } from '../tenant/open-tenant.js';
import type { Tenant } from '../tenant/tenant.js';
import { cacheDocument, type CachedDocument } from './cached-document.js';

export interface SchemaDocumentServices extends RequestServices, LiveSchemaServices, SchedulingServices {}

type Format = 'json' | 'sql';

/** The number of tables serialized in one slice. */
const TABLES_PER_SLICE = 50;

/** `GET /v1/-/schema`: describes what this key may see, as JSON or with `?format=sql` as SQL. */
export async function serveSchema(
  services: SchemaDocumentServices,
  request: GatewayRequest,
): Promise<GatewayResponse> {
  const { tenant, admitted } = await openTenant(services, request);
  try {
    requireScope(tenant, 'schema');
    const format = readFormat(request.rawQuery);
    return await onLiveSchema(services, tenant.database, tenant.view, request.trace, async ({ compiled }) => {
      const { bytes, pack } = await writeSchema(services, compiled, tenant, format);
      const headers = {
        'Content-Type': format === 'sql' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
        ETag: toTag(compiled, tenant, format),
        ...admitted.headers,
      };
      return { status: 200, headers, body: bytes, pack };
    });
  } finally {
    admitted.release();
  }
}

/**
 * Returns the ETag of the document. It starts with the number of the snapshot, so that clients notice a
 * deploy. Its other parts cover everything else that the text depends on.
 */
function toTag(compiled: CompiledSnapshot, tenant: Tenant, format: Format): string {
  return `"${compiled.number}.${tenant.database.record.version}.${tenant.view.name.slice(0, 12)}.${format}"`;
}

/** The texts of each view, by version of the database row and format. */
const written = new WeakMap<CompiledSnapshot, Map<string, Promise<CachedDocument>>>();

/** Writes the text once. Concurrent callers wait for the same one. */
function writeSchema(
  services: SchedulingServices,
  compiled: CompiledSnapshot,
  tenant: Tenant,
  format: Format,
): Promise<CachedDocument> {
  const texts = written.get(compiled) ?? new Map<string, Promise<CachedDocument>>();
  written.set(compiled, texts);
  const name = `${tenant.database.record.version} ${format}`;
  let text = texts.get(name);
  if (text === undefined) {
    text = describe(services, compiled, tenant, format);
    if (texts.size > 4) texts.clear();
    texts.set(name, text);
    text.catch(() => texts.delete(name));
  }
  return text;
}

/** Describes the schema in slices between other requests. */
async function describe(
  services: SchedulingServices,
  compiled: CompiledSnapshot,
  { database: { record } }: Tenant,
  format: Format,
): Promise<CachedDocument> {
  const nextSlice = (): Promise<void> => services.scheduler.nextSlice(record.schemaName);
  const { sql, tables, ...head } = await runStepsInSlices(
    describeSchemaSteps(compiled, { project: record.projectName, database: record.environment }),
    nextSlice,
  );
  if (format === 'sql') return cacheDocument([sql], nextSlice);
  const texts: string[] = [];
  for (let index = 0; index < tables.length; index += TABLES_PER_SLICE) {
    if (index > 0) await nextSlice();
    texts.push(
      `${index === 0 ? '' : ','}${JSON.stringify(tables.slice(index, index + TABLES_PER_SLICE)).slice(1, -1)}`,
    );
  }
  return cacheDocument(
    [`{${JSON.stringify(head).slice(1, -1)},"tables":[`, ...texts, `],"sql":${JSON.stringify(sql)}}`],
    nextSlice,
  );
}

function readFormat(rawQuery: string): Format {
  let format: Format = 'json';
  for (const pair of rawQuery === '' ? [] : rawQuery.split('&')) {
    const [name = '', value = ''] = pair.split('=', 2);
    if (name !== 'format')
      throw validationError(
        'params.invalid',
        [faultAt(['query', name], 'unknown parameter', 'unknown_parameter')],
        'Use format=json or format=sql.',
      );
    if (value !== 'json' && value !== 'sql')
      throw validationError('params.invalid', [faultAt(['query', 'format'], 'must be json or sql', 'enum')]);
    format = value;
  }
  return format;
}
