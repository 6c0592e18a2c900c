import type { TableView } from '../../data/schema/read-tables.js';
import type { Operation } from './list-operations.js';
import { readListQuery } from './list-query.js';

interface RequestParts {
  readonly id: string;
  readonly query: string;
  readonly body: unknown;
}

/** Returns what an agent sends for the same operation: the tool and its arguments for `tools/call` of MCP. */
export function makeMcpCall(table: TableView, operation: Operation, parts: RequestParts): string {
  return JSON.stringify(
    {
      method: 'tools/call',
      params: {
        name: TOOLS[operation.id] ?? 'read_records',
        arguments: { table: table.name, ...listArguments(operation, parts) },
      },
    },
    null,
    2,
  );
}

const TOOLS: Readonly<Record<string, string>> = {
  list: 'read_records',
  read: 'read_records',
  create: 'create_records',
  update: 'update_records',
  delete: 'delete_records',
};

function listArguments(operation: Operation, { id, query, body }: RequestParts): Record<string, unknown> {
  if (operation.id === 'read') return { id };
  if (operation.id === 'create') return { records: [body] };
  if (operation.id === 'update') return { records: [{ id, values: body }] };
  if (operation.id === 'delete') return { ids: [id] };
  const { filters, sort, include, limit } = readListQuery(query);
  const filter = Object.fromEntries(
    filters
      .filter((entry) => entry.value !== '')
      .map((entry) => [
        entry.operator === 'eq' ? entry.column : `${entry.column}__${entry.operator}`,
        toValue(entry.value),
      ]),
  );
  return {
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(sort === '' ? {} : { sort: [sort] }),
    ...(include === '' ? {} : { include: [include] }),
    ...(limit === '' ? {} : { limit: Number(limit) }),
  };
}

/** Converts texts that look like numbers or booleans, because a JSON filter also compares the type. */
function toValue(text: string): unknown {
  if (/^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}
