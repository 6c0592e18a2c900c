import type { McpTool } from '@rowhouse/mcp';

type Schema = NonNullable<McpTool['inputSchema']['properties']>[string];

/**
 * The maximum length of table names in a tool's description. It keeps the list of tools equally small for any
 * database.
 */
export const NAMES_BYTES_MAX = 150;
const PLAIN_NAME = /^[A-Za-z0-9_$]{1,64}$/;

/**
 * Describes the argument `table`, with the possible names if they fit. It is not an enum, so that a table
 * created later works immediately.
 */
export function tableArgument(tables: readonly string[]): Schema {
  const names = tables.join(', ');
  const isShort = names.length <= NAMES_BYTES_MAX && tables.every((name) => PLAIN_NAME.test(name));
  return {
    type: 'string',
    description: isShort ? `One of: ${names}` : `One of ${tables.length} tables in get_schema`,
  };
}

export const ID: Schema = {
  type: ['string', 'number', 'array'],
  items: { type: ['string', 'number'] },
  description: 'Key of a record. For a composite key, an array: [3,2]',
};
export const FILTER: Schema = { type: 'object', description: 'Selects records, as in read_records' };
export const DRY_RUN: Schema = { type: 'boolean', description: 'Test the call without saving changes' };
export const IDEMPOTENCY_KEY: Schema = {
  type: 'string',
  description: 'Calls with the same key run once',
};
export const MAX_AFFECTED: Schema = {
  type: 'integer',
  minimum: 1,
  maximum: 10_000,
  description: 'Reject if more would change. Default: 100',
};

interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The members of the result besides `notice` and `error`. */
  readonly result: Readonly<Record<string, Schema>>;
  readonly effect: 'reads' | 'adds' | 'changes';
}

/** Returns a tool as listed by tools/list. */
export function toTool({
  name,
  title,
  description,
  properties,
  required = [],
  result,
  effect,
}: ToolDefinition): McpTool {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: { ...properties },
      ...(required.length === 0 ? {} : { required: [...required] }),
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: { ...result } },
    annotations:
      effect === 'reads'
        ? { readOnlyHint: true, openWorldHint: false }
        : { readOnlyHint: false, destructiveHint: effect === 'changes', openWorldHint: false },
  };
}
