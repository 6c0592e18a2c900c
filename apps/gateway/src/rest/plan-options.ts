import { hash, randomUUID, type KeyObject } from 'node:crypto';
import type { PlanOptions, ShapeOptions } from '@rowhouse/rest-engine';
import type { TenantDatabase } from '../tenant/tenant.js';

/** Returns what planning needs beyond the request: settings of the database, secrets and randomness. */
export function planOptions(
  cursorKey: KeyObject,
  database: TenantDatabase,
  storedColumnsAt: PlanOptions['storedColumnsAt'],
): PlanOptions {
  const {
    unknown_fields: unknownFields,
    require_limit: requireLimit,
    regex_enabled: regexEnabled,
    require_if_match: requireIfMatch,
  } = database.record.settings;
  const { sealText } = toShapeOptions(cursorKey, database);
  return {
    unknownFields,
    requireLimit,
    requireIfMatch,
    regexEnabled,
    storedColumnsAt,
    sealText,
    makeUuid: randomUUID,
    now: Date.now,
  };
}

/** The options for each settings object of a database record. */
const shapeOptions = new WeakMap<object, ShapeOptions>();

/** Returns the settings that plans of one shape share. */
export function toShapeOptions(
  cursorKey: KeyObject,
  { record: { id, settings } }: TenantDatabase,
): ShapeOptions {
  let options = shapeOptions.get(settings);
  if (options === undefined) {
    options = {
      requireLimit: settings.require_limit,
      regexEnabled: settings.regex_enabled,
      requireIfMatch: settings.require_if_match,
      makeUuid: randomUUID,
      sealText: sealWith(cursorKey, id),
    };
    shapeOptions.set(settings, options);
  }
  return options;
}

/** The number of base64url characters of a seal. They contain 162 bits. */
const SEAL_LENGTH = 27;

/** Returns a function that signs cursors of one database, like `createDigest` with a truncated keyed hash. */
function sealWith(key: KeyObject, databaseId: string): (text: string) => string {
  const prefix = `${key.export().toString('base64url')}${databaseId}\0`;
  return (text) => hash('sha256', prefix + text, 'base64url').slice(0, SEAL_LENGTH);
}
