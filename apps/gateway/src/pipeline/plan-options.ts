import { createHmac, randomUUID, type KeyObject } from 'node:crypto';
import type { PlanOptions, ShapeOptions } from '@rowhouse/rest-engine';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';

/** What planning takes from outside the request: settings of the database, secrets, randomness. */
export function planOptions(gateway: Gateway, database: TenantDatabase, storedColumnsAt: PlanOptions['storedColumnsAt']): PlanOptions {
  const { unknown_fields: unknownFields, require_limit: requireLimit, regex_enabled: regexEnabled, require_if_match: requireIfMatch } = database.record.settings;
  const sealText = sealWith(gateway.cursorKey, database.record.id);
  return { unknownFields, requireLimit, requireIfMatch, regexEnabled, storedColumnsAt, sealText, makeUuid: randomUUID };
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

/** What is sealed holds for one database. */
function sealWith(key: KeyObject, databaseId: string): (text: string) => string {
  return (text) => createHmac('sha256', key).update(`${databaseId}\0${text}`).digest('base64url').slice(0, 27);
}
