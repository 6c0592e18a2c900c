import type { Json } from '../openapi/openapi-types.js';

/**
 * The API reference of one database. It is derived from the OpenAPI document, so both describe the same
 * operations. The docs page and the Markdown pages show it.
 */
export interface ApiReference {
  readonly title: string;
  /** The number of the schema version. */
  readonly version: string;
  /** The URL in front of each path, such as `https://api.example.org/v1/-`. */
  readonly baseUrl: string;
  readonly description: string;
  /** The name and the URL or SPDX identifier of the license. Null if the project states none. */
  readonly license: { readonly name: string; readonly terms: string } | null;
  /** The tables by name, and then the other endpoints. */
  readonly groups: readonly ReferenceGroup[];
  /** The parameters that many operations share, by key. */
  readonly parameters: Readonly<Record<string, ReferenceParameter>>;
}

export interface ReferenceGroup {
  /** The table name, or the name of the group of all other endpoints. */
  readonly name: string;
  readonly isTable: boolean;
  readonly description: string;
  readonly fields: readonly ReferenceField[];
  readonly operations: readonly ReferenceOperation[];
}

export interface ReferenceField {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** Whether a request that creates a record must contain the field. */
  readonly isRequired: boolean;
  readonly inRequest: boolean;
  readonly inResponse: boolean;
}

export interface ReferenceParameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

export interface ReferenceOperation {
  /** The operation id of the OpenAPI document. */
  readonly id: string;
  readonly method: string;
  /** The path below the base URL, such as `/posts/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The operation's own parameters, without filters. */
  readonly parameters: readonly ReferenceParameter[];
  /** The keys of shared parameters. */
  readonly shared: readonly string[];
  /** The suffixes of filters by field. The empty suffix is equality. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly hasBody: boolean;
  readonly responses: readonly { readonly status: string; readonly description: string }[];
  readonly sample: ReferenceSample;
}

/** A request that runs as it is, if the sample record exists. */
export interface ReferenceSample {
  /** The path and query below the base URL, such as `/posts?limit=5`. */
  readonly path: string;
  readonly body: Json | undefined;
  /** The call with the TypeScript client, such as `client.posts.list({ limit: 5 })`. */
  readonly client: string;
  /** Whether the request changes records. */
  readonly writes: boolean;
}
