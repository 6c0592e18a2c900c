import type { DatabaseSettings } from '@rowhouse/contracts';
import type { Rights } from '@rowhouse/schema-model';

/** A plain JSON value: documents are built from nothing else. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

export interface OpenApiOptions {
  /** Of the document: the project's name. */
  readonly title: string;
  /** Absolute address without the prefix `/v1/-`. */
  readonly serverUrl: string;
  /** Of the schema: its snapshot number as text. */
  readonly version: string;
  readonly settings: Pick<DatabaseSettings, 'require_limit' | 'unknown_fields' | 'regex_enabled'>;
  /** The document shows what these rights can see. */
  readonly rights: Rights;
}

export const API_PREFIX = '/v1/-';

export function refTo(kind: 'schemas' | 'parameters' | 'responses' | 'headers', name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}
