import type { TableView } from '../../data/schema/read-tables.js';
import { toTablePath } from '../../data/gateway/call-gateway.js';
import type { GatewayCall } from '../../data/gateway/run-call.js';
import { makeSampleRow, makeSampleValue } from '../snippets/make-sample-row.js';

export interface Operation {
  readonly id: string;
  readonly title: string;
  readonly method: GatewayCall['method'];
  /** The documented path, such as `/posts/{id}`. */
  readonly template: string;
  readonly call: GatewayCall;
  /** Whether running the operation changes rows. */
  readonly writes: boolean;
}

/**
 * Lists the operations of a table, with a sample of each. Views are read only, and tables without a key have
 * no single records.
 */
export function listOperations(table: TableView): Operation[] {
  const path = toTablePath(table);
  const relation = table.relationships[0]?.name;
  const list: Operation = {
    id: 'list',
    title: 'List rows',
    method: 'GET',
    template: path,
    writes: false,
    call: {
      method: 'GET',
      path: `${path}?limit=5${relation === undefined ? '' : `&include=${encodeURIComponent(relation)}`}`,
    },
  };
  if (table.kind === 'view') return [list];
  const body = makeSampleRow(table);
  const create: Operation = {
    id: 'create',
    title: 'Create a row',
    method: 'POST',
    template: path,
    writes: true,
    call: { method: 'POST', path, body },
  };
  if (table.primaryKey.length === 0) return [list, create];
  const template = `${path}/{id}`;
  const item = `${path}/${sampleId(table)}`;
  return [
    list,
    {
      id: 'read',
      title: 'Get a row',
      method: 'GET',
      template,
      writes: false,
      call: { method: 'GET', path: item },
    },
    create,
    {
      id: 'update',
      title: 'Update a row',
      method: 'PUT',
      template,
      writes: true,
      call: { method: 'PUT', path: item, body: pickChange(table, body) },
    },
    {
      id: 'delete',
      title: 'Delete a row',
      method: 'DELETE',
      template,
      writes: true,
      call: { method: 'DELETE', path: item },
    },
  ];
}

/**
 * Returns a sample record key for a URL: the values of the primary key's columns in order, separated by
 * commas.
 */
function sampleId(table: TableView): string {
  return table.primaryKey
    .map((name) => {
      const column = table.columns.find((candidate) => candidate.name === name);
      return encodeURIComponent(String(column ? makeSampleValue(column) : 1));
    })
    .join(',');
}

/**
 * Returns the body of a partial update. It has one column of the sample, the first that is not part of the
 * primary key.
 */
function pickChange(table: TableView, body: Record<string, unknown>): Record<string, unknown> {
  const change = Object.entries(body).filter(([name]) => !table.primaryKey.includes(name));
  return Object.fromEntries(change.slice(0, 1));
}
