import { faultAt, validationError } from '@rowhouse/errors';
import { describeSchema, type CompiledSnapshot } from '@rowhouse/schema-model';
import type { Tenant } from '../tenant/tenant.js';
import type { Answer, Call } from './call.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema } from './on-live-schema.js';
import { openTenant, requireScope } from './open-tenant.js';

type Format = 'json' | 'sql';

/** `GET /v1/-/schema`, and its SQL with `?format=sql`. Of what this key may see. */
export async function serveSchema(gateway: Gateway, call: Call): Promise<Answer> {
  const { tenant, admitted } = await openTenant(gateway, call);
  try {
    requireScope(tenant, 'schema');
    const format = readFormat(call.rawQuery);
    return await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, async ({ compiled }) => ({
      status: 200,
      headers: { 'Content-Type': format === 'sql' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8', ETag: toTag(compiled, tenant, format), ...admitted.headers },
      body: writeSchema(compiled, tenant, format),
    }));
  } finally {
    admitted.release();
  }
}

/** The snapshot's number first, so that a new deploy is seen in the tag; then what else the text depends on. */
function toTag(compiled: CompiledSnapshot, tenant: Tenant, format: Format): string {
  return `"${compiled.number}.${tenant.database.record.version}.${tenant.view.name.slice(0, 12)}.${format}"`;
}

/** One text for each view and version of the database's row. */
const written = new WeakMap<CompiledSnapshot, Map<string, string>>();

function writeSchema(compiled: CompiledSnapshot, tenant: Tenant, format: Format): string {
  const texts = written.get(compiled) ?? new Map<string, string>();
  written.set(compiled, texts);
  const name = `${tenant.database.record.version} ${format}`;
  let text = texts.get(name);
  if (text === undefined) {
    const description = describeSchema(compiled, { project: tenant.database.record.projectName, database: tenant.database.record.environment });
    text = format === 'sql' ? description.sql : JSON.stringify(description);
    if (texts.size > 4) texts.clear();
    texts.set(name, text);
  }
  return text;
}

function readFormat(rawQuery: string): Format {
  let format: Format = 'json';
  for (const pair of rawQuery === '' ? [] : rawQuery.split('&')) {
    const [name = '', value = ''] = pair.split('=', 2);
    if (name !== 'format') throw validationError('params.invalid', [faultAt(['query', name], 'unknown parameter', 'unknown_parameter')], 'Only format=json and format=sql are known here.');
    if (value !== 'json' && value !== 'sql') throw validationError('params.invalid', [faultAt(['query', 'format'], 'must be json or sql', 'enum')]);
    format = value;
  }
  return format;
}
