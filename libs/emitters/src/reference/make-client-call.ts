import type { Json } from '../openapi/openapi-types.js';

export interface SampleCall {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body: Json | undefined;
}

/**
 * Returns the expression that sends a request with the generated TypeScript client. Requests without a method
 * of their own are sent by the client's transport.
 *
 * @param property the client's property for the table, or null for requests of other endpoints
 */
export function makeClientCall({ id, method, path, body }: SampleCall, property: string | null): string {
  const [, name = ''] = /^(list|get|create|patch|delete|runQuery)(?![a-z])/.exec(id) ?? [];
  const isMany = /^(?:patch|delete|update)Many(?![a-z])/.test(id);
  const key = JSON.stringify(decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)));
  const table = `client.${property ?? ''}`;
  if (name === 'runQuery' && isQuery(body)) return `client.query(${JSON.stringify(body.query)})`;
  if (property !== null && !isMany && !path.startsWith('/_search/')) {
    if (name === 'list') return `${table}.list({ limit: 5 })`;
    if (name === 'get') return `${table}.get(${toKey(key)})`;
    if (name === 'create') return `${table}.create(${JSON.stringify(body ?? {})})`;
    if (name === 'patch') return `${table}.update(${toKey(key)}, ${JSON.stringify(body ?? {})})`;
    if (name === 'delete') return `${table}.delete(${toKey(key)})`;
  }
  return makeTransportCall(method, path, body);
}

/** Returns the expression that sends any request with the client. */
export function makeTransportCall(method: string, path: string, body: unknown): string {
  const options = body === undefined ? '' : `, { body: ${JSON.stringify(body)} }`;
  return `client.transport.call(${JSON.stringify(method)}, ${JSON.stringify(path)}${options})`;
}

/** Returns a literal for the key of a record. A composite key becomes an array. */
function toKey(text: string): string {
  const parts = (JSON.parse(text) as string).split(',').map((part) => JSON.stringify(part));
  return parts.length === 1 ? (parts[0] ?? '""') : `[${parts.join(', ')}]`;
}

function isQuery(body: Json | undefined): body is { readonly query: string } {
  return typeof body === 'object' && body !== null && 'query' in body && typeof body.query === 'string';
}
