import type { OpenApiOptions } from '../openapi/openapi-types.js';

/** The options of an API key with all rights. */
export const OPTIONS: OpenApiOptions = {
  title: 'Blog',
  serverUrl: 'https://api.rowhouse.test',
  version: '7',
  settings: { require_limit: false, unknown_fields: 'reject', regex_enabled: false },
  rights: { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} },
};
