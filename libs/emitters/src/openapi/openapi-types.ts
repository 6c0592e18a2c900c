import type { DatabaseSettings } from '@rowhouse/contracts';
import type { Rights } from '@rowhouse/schema-model';

/** A plain JSON value. OpenAPI documents contain nothing else. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

export interface OpenApiOptions {
  /** The title of the document, which is the project's name. */
  readonly title: string;
  /** The absolute URL of the server, without the path prefix `/v1/-`. */
  readonly serverUrl: string;
  /** The version of the document, which is the number of the schema snapshot as text. */
  readonly version: string;
  readonly settings: Pick<DatabaseSettings, 'require_limit' | 'unknown_fields' | 'regex_enabled'> &
    Partial<Pick<DatabaseSettings, 'require_if_match' | 'license'>>;
  /** The rights to which the document is limited. */
  readonly rights: Rights;
}

export type ComponentKind = 'schemas' | 'parameters' | 'responses' | 'requestBodies' | 'headers';

/**
 * Returns a reference to a component. The names of parameters get a suffix, because some generators write one
 * file for each name, in which `order` would equal `Order`.
 */
export function refTo(kind: ComponentKind, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${kind === 'parameters' ? toParameterName(name) : name}` };
}

export function toParameterName(name: string): string {
  return `${name}Param`;
}

/**
 * Returns the content of a JSON body.
 * @param example the initial body on an interactive page
 */
export function json(schema: JsonObject, example?: Json): JsonObject {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

/**
 * Lists the error statuses of an operation, except 422. Their bodies have the schema
 * `components.schemas.Error`. They are described as text, because declared error responses break typed
 * clients.
 */
export function describeErrors(...more: readonly number[]): string {
  return `Errors: ${[401, 403, 429, 503, ...more].sort((a, b) => a - b).join(', ')}.`;
}
