import type { DatabaseSettings } from '@rowhouse/contracts';
import type { Rights } from '@rowhouse/schema-model';

/** A plain JSON value. Documents contain nothing else. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

export interface OpenApiOptions {
  /** The title of the document, which is the name of the project. */
  readonly title: string;
  /** The absolute URL of the server without the prefix `/v1/-`. */
  readonly serverUrl: string;
  /** The version of the schema, which is its snapshot number as text. */
  readonly version: string;
  readonly settings: Pick<DatabaseSettings, 'require_limit' | 'unknown_fields' | 'regex_enabled'> &
    Partial<Pick<DatabaseSettings, 'require_if_match' | 'license'>>;
  /** The rights that limit the document. */
  readonly rights: Rights;
}

export type ComponentKind = 'schemas' | 'parameters' | 'responses' | 'requestBodies' | 'headers';

/**
 * Adds a suffix to the names of parameters: some generators write one file per name, and `order` would equal
 * `Order`.
 */
export function refTo(kind: ComponentKind, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${kind === 'parameters' ? toParameterName(name) : name}` };
}

export function toParameterName(name: string): string {
  return `${name}Param`;
}

/** @param example The initial body on an interactive page. */
export function json(schema: JsonObject, example?: Json): JsonObject {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

/**
 * Lists statuses other than success and 422, whose bodies are `components.schemas.Error`.
 * They are described in text, since declared errors break typed clients.
 */
export function describeErrors(...more: readonly number[]): string {
  return `Errors: ${[401, 403, 429, 503, ...more].sort((a, b) => a - b).join(', ')}.`;
}
