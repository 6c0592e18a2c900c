import { AppError } from '@rowhouse/errors';
import type { GatewayDirectory } from '@rowhouse/platform-store';
import { LRUCache } from 'lru-cache';
import type { GatewayRequest } from '../http/gateway-request.js';
import type { TenantDirectory } from '../tenant/tenant-directory.js';
import type { TenantDatabase } from '../tenant/tenant.js';
import { createUnknownKeys } from '../tenant/unknown-keys.js';

export interface PublishedServices {
  readonly tenants: TenantDirectory;
  readonly directory: GatewayDirectory;
}

const SLUG_FORM = /^[A-Za-z0-9_-]{8,64}$/;
const idsBySlug = new LRUCache<string, string>({ max: 20_000 });
const unknown = createUnknownKeys();

/**
 * Finds the database whose documents are published under this slug. Slugs are unguessable. Publishing can be
 * turned off per database, which also replaces the slug. All rejections are the same response with status
 * 404.
 */
export async function findPublished(
  services: PublishedServices,
  request: GatewayRequest,
  slug: string,
): Promise<TenantDatabase> {
  if (!SLUG_FORM.test(slug)) throw notPublished();
  const databaseId = idsBySlug.get(slug) ?? (await lookUp(services, request, slug));
  const database = await services.tenants.findDatabase(databaseId);
  if (database === null || database.record.docsSlug !== slug) {
    idsBySlug.delete(slug);
    throw notPublished();
  }
  if (!database.record.settings.docs_enabled) throw notPublished();
  return database;
}

async function lookUp(services: PublishedServices, request: GatewayRequest, slug: string): Promise<string> {
  const nowMs = performance.now();
  if (unknown.isKnownMiss(slug, nowMs)) throw notPublished();
  unknown.checkAddress(request.address, nowMs);
  const databaseId = await services.directory.readDatabaseIdBySlug(slug);
  if (databaseId === null) {
    unknown.noteMiss(slug, request.address, nowMs);
    throw notPublished();
  }
  idsBySlug.set(slug, databaseId);
  return databaseId;
}

function notPublished(): AppError {
  return new AppError('request.not_found', { detail: 'No API documentation is published at this URL.' });
}
