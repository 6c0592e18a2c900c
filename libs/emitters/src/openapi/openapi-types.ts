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
  readonly settings: Pick<DatabaseSettings, 'require_limit' | 'unknown_fields' | 'regex_enabled'> & Partial<Pick<DatabaseSettings, 'require_if_match'>>;
  /** The document shows what these rights can see. */
  readonly rights: Rights;
}

export const API_PREFIX = '/v1/-';

export type ComponentKind = 'schemas' | 'parameters' | 'responses' | 'requestBodies' | 'headers';

export function refTo(kind: ComponentKind, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** `example`: what an interactive page begins with. */
export function json(schema: JsonObject, example?: Json): JsonObject {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

/** Statuses beside success and 422, whose bodies are `components.schemas.Error`: named, not declared, since declared ones break typed clients. */
export function describeErrors(...more: readonly number[]): string {
  return `Else \`Error\`: ${[401, 403, 429, 503, ...more].sort((a, b) => a - b).join(', ')}.`;
}
