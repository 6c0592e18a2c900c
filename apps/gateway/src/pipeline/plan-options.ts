import { hash, randomUUID, type KeyObject } from 'node:crypto';
import type { PlanOptions, ShapeOptions } from '@rowhouse/rest-engine';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';

/** What planning takes from outside the request: settings of the database, secrets, randomness. */
export function planOptions(gateway: Gateway, database: TenantDatabase, storedColumnsAt: PlanOptions['storedColumnsAt']): PlanOptions {
  const { unknown_fields: unknownFields, require_limit: requireLimit, regex_enabled: regexEnabled, require_if_match: requireIfMatch } = database.record.settings;
  const { sealText } = toShapeOptions(gateway, database);
  return { unknownFields, requireLimit, requireIfMatch, regexEnabled, storedColumnsAt, sealText, makeUuid: randomUUID, now: Date.now };
}

/** Made once for each reading of a database's settings. */
const shapeOptions = new WeakMap<object, ShapeOptions>();

/** The settings that plans of one shape share. */
export function toShapeOptions(gateway: Pick<Gateway, 'cursorKey'>, { record: { id, settings } }: TenantDatabase): ShapeOptions {
  let options = shapeOptions.get(settings);
  if (options === undefined) {
    options = { requireLimit: settings.require_limit, regexEnabled: settings.regex_enabled, requireIfMatch: settings.require_if_match, makeUuid: randomUUID, sealText: sealWith(gateway.cursorKey, id) };
    shapeOptions.set(settings, options);
  }
  return options;
}

/** Of 43: 160 bits and more. */
const SEAL_LENGTH = 27;

/** What is sealed holds for one database. A cut hash with the key in front, as `createDigest` has it, for its reason. */
function sealWith(key: KeyObject, databaseId: string): (text: string) => string {
  const prefix = `${key.export().toString('base64url')}${databaseId}\0`;
  return (text) => hash('sha256', prefix + text, 'base64url').slice(0, SEAL_LENGTH);
}
