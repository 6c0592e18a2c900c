import { AppError, nearestNames } from '@rowhouse/errors';
import { parseJson, type JsonObject } from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { readArguments } from '../argument-reader.js';
import type { DataTool, ToolUse } from '../data-tool.js';
import { describeTables } from '../describe-tables.js';
import { toTool } from '../tool-schemas.js';
import { onLiveSchema } from '../../schema/on-live-schema.js';
import { requireScope } from '../../tenant/open-tenant.js';

const NAMED_MAX = 100;

export const GET_SCHEMA: DataTool = {
  name: 'get_schema',
  describe(offer) {
    if (!offer.hasScope('schema')) return null;
    return toTool({
      name: 'get_schema',
      title: 'Get the schema',
      description:
        'Returns tables with columns, types, keys, relationships and what this key may do. Call it ' +
        'first. A long schema returns only names: call again with `tables`.',
      properties: {
        tables: { type: 'array', items: { type: 'string' }, maxItems: NAMED_MAX, description: 'Only these' },
      },
      result: {
        schema_version: { type: 'integer' },
        detail: { enum: ['full', 'columns', 'names'] },
        tables: { type: 'array' },
      },
      effect: 'reads',
    });
  },
  async run(use: ToolUse, args: JsonObject) {
    requireScope(use.tenant, 'schema');
    const reader = readArguments(args, ['tables']);
    const names = reader.texts('tables');
    if (names !== null && names.length > NAMED_MAX)
      reader.reject('tables', `can have at most ${NAMED_MAX} tables`);
    reader.done();
    const { database, view } = use.tenant;
    return onLiveSchema(use.services, database, view, use.request.trace, async ({ compiled }) => {
      use.request.trace.route('GET /schema');
      for (const name of names ?? [])
        if (compiled.findByName(name) === null) throw unknownTable(name, compiled);
      // A result must consist of parsed JSON values, so the description is serialized and parsed again.
      return parseJson(
        JSON.stringify({
          schema_version: compiled.number,
          dialect: compiled.engine,
          ...(await describeTables(compiled, names, () =>
            use.services.scheduler.nextSlice(database.record.schemaName),
          )),
        }),
      ) as JsonObject;
    });
  },
};

function unknownTable(name: string, compiled: CompiledSnapshot): AppError {
  const similarNames = nearestNames(name, compiled.tableNames);
  return new AppError('table.not_found', {
    detail: `There is no table ${name}.`,
    hint:
      similarNames.length > 0
        ? `Did you mean ${similarNames.join(' or ')}?`
        : 'Call get_schema without arguments for all tables.',
  });
}
