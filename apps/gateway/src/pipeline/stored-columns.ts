import type { ApiRequest } from '@rowhouse/rest-engine';
import { decodeSnapshot } from '@rowhouse/snapshot-store';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';

/** A request may name tags of many snapshots; nobody honest names more than these. */
const SNAPSHOTS_MAX = 4;

export type StoredColumnsAt = (snapshot: number) => readonly string[] | null;

const NONE: StoredColumnsAt = () => null;

/** Loads what `If-Match` needs: the table's stored columns in the snapshots, other than the live one, that its tags are of. */
export async function loadStoredColumns(gateway: Gateway, database: TenantDatabase, request: ApiRequest, liveNumber: number): Promise<StoredColumnsAt> {
  const ifMatch = request.kind === 'update' || request.kind === 'delete' ? request.ifMatch : null;
  if (ifMatch === null || ifMatch.kind === 'any') return NONE;
  const numbers = [...new Set(ifMatch.tags.map((tag) => tag.snapshot))].filter((number) => number !== liveNumber).slice(0, SNAPSHOTS_MAX);
  if (numbers.length === 0) return NONE;
  const found = new Map(await Promise.all(numbers.map(async (number) => [number, await readColumns(gateway, database.record.id, number, request.table.name)] as const)));
  return (snapshot) => found.get(snapshot) ?? null;
}

async function readColumns(gateway: Gateway, databaseId: string, number: number, tableName: string): Promise<readonly string[] | null> {
  const contentHash = await gateway.directory.readSnapshotHash(databaseId, number);
  const body = contentHash === null ? null : await gateway.directory.readSnapshotBody(contentHash);
  if (contentHash === null || body === null) return null;
  const table = decodeSnapshot(body, contentHash).tables.find((candidate) => candidate.name === tableName);
  return table?.columns.filter((column) => column.generated === null).map((column) => column.name) ?? null;
}
