import type { McpTool } from '@rowhouse/mcp';

type Schema = NonNullable<McpTool['inputSchema']['properties']>[string];

/** Names of tables stand in the list of tools where they are short words and few: it has one size for any database. */
export const NAMES_BYTES_MAX = 150;
const PLAIN_NAME = /^[A-Za-z0-9_$]{1,64}$/;

/** The argument `table`, with the names that it may have where they fit. Not an enum: a table that is made later works at once. */
export function tableArgument(tables: readonly string[]): Schema {
  const names = tables.join(', ');
  const isShort = names.length <= NAMES_BYTES_MAX && tables.every((name) => PLAIN_NAME.test(name));
  return { type: 'string', description: isShort ? `One of: ${names}` : `One of ${tables.length} tables that get_schema names` };
}

export const ID: Schema = { type: ['string', 'number', 'array'], items: { type: ['string', 'number'] }, description: 'Key of a record; of several columns: an array, [3,2]' };
export const FILTER: Schema = { type: 'object', description: 'Which records, as in read_records' };
export const DRY_RUN: Schema = { type: 'boolean', description: 'Rehearse: nothing is kept' };
export const IDEMPOTENCY_KEY: Schema = { type: 'string', description: 'Sent again with the same one, the call happens once' };
export const MAX_AFFECTED: Schema = { type: 'integer', minimum: 1, maximum: 10_000, description: 'Refuse when more would change; 100 unless said' };

interface ToolWords {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** Members of the result beside `notice` and `error`. */
  readonly result: Readonly<Record<string, Schema>>;
  readonly effect: 'reads' | 'adds' | 'changes';
}

/** A tool as tools/list tells it. */
export function toTool({ name, title, description, properties, required = [], result, effect }: ToolWords): McpTool {
  return {
    name,
    title,
    description,
    inputSchema: { type: 'object', properties: { ...properties }, ...(required.length === 0 ? {} : { required: [...required] }), additionalProperties: false },
    outputSchema: { type: 'object', properties: { ...result } },
    annotations: effect === 'reads' ? { readOnlyHint: true, openWorldHint: false } : { readOnlyHint: false, destructiveHint: effect === 'changes', openWorldHint: false },
  };
}
