import { AppError } from '@rowhouse/errors';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { GatewayRequest } from './gateway-request.js';
import type { Gateway } from './gateway.js';
import { createUnknownKeys } from '../tenant/unknown-keys.js';

const SLUG_FORM = /^[A-Za-z0-9_-]{8,64}$/;
const SLUGS_MAX = 20_000;
const idsBySlug = new Map<string, string>();
const unknown = createUnknownKeys();

/**
 * Finds the database whose documents are published under this slug. Slugs are unguessable and can be rotated,
 * and publishing can be turned off per database. Every rejection is the same 404.
 */
export async function findPublished(
  gateway: Gateway,
  request: GatewayRequest,
  slug: string,
): Promise<TenantDatabase> {
  if (!SLUG_FORM.test(slug)) throw notPublished();
  const databaseId = idsBySlug.get(slug) ?? (await lookUp(gateway, request, slug));
  const database = await gateway.tenants.findDatabase(databaseId);
  if (database === null || database.record.docsSlug !== slug) {
    idsBySlug.delete(slug);
    throw notPublished();
  }
  if (!database.record.settings.docs_enabled) throw notPublished();
  return database;
}

async function lookUp(gateway: Gateway, request: GatewayRequest, slug: string): Promise<string> {
  const nowMs = performance.now();
  if (unknown.isKnownMiss(slug, nowMs)) throw notPublished();
  unknown.checkAddress(request.address, nowMs);
  const databaseId = await gateway.directory.readDatabaseIdBySlug(slug);
  if (databaseId === null) {
    unknown.noteMiss(slug, request.address, nowMs);
    throw notPublished();
  }
  const [oldest] = idsBySlug.keys();
  if (oldest !== undefined && idsBySlug.size >= SLUGS_MAX) idsBySlug.delete(oldest);
  idsBySlug.set(slug, databaseId);
  return databaseId;
}

function notPublished(): AppError {
  return new AppError('request.not_found', { detail: 'No documents are published at this address.' });
}
