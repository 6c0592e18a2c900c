import type { CompiledTable, FilterOperator } from '@rowhouse/schema-model';
import type { JsonValue } from './json-value.js';

/** A request as the gateway received it. Its path and query are not yet decoded. */
export interface RawRequest {
  readonly method: string;
  /**
   * The path after the prefix `/v1/-`, such as `/posts/5`. It includes the leading slash, and its percent
   * escapes are not decoded.
   */
  readonly rawPath: string;
  /** The query without the question mark. It is empty if the request has no query. */
  readonly rawQuery: string;
  /**
   * The headers by their lower-case names. Only `accept`, `prefer`, `if-match`, `if-none-match` and
   * `idempotency-key` are used.
   */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as parsed by `parseJson`. Undefined without a body. */
  readonly body: JsonValue | undefined;
}

export interface ParseOptions {
  /** The path prefix of the data API, `/v1/-`. The headers `Link` and `Location` begin with it. */
  readonly prefix: string;
}

/** A request with valid syntax. The planner later checks the names in it. */
export type ApiRequest =
  | ListRequest
  | ReadRequest
  | CreateRequest
  | UpdateRequest
  | DeleteRequest
  | UpdateManyRequest
  | DeleteManyRequest;

interface RequestBase {
  /** The value of `Idempotency-Key`, which makes a repeated write take effect only once. */
  readonly idempotencyKey: string | null;
  readonly table: CompiledTable;
  /** The URL as the client sent it. The headers `Link` and `Location` are derived from it. */
  readonly address: RequestAddress;
  readonly preferences: Preferences;
}

export interface RequestAddress {
  readonly prefix: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  /** Whether the parameters were in the request body. The response then has no links to other pages. */
  readonly isBody?: boolean;
}

export interface ListRequest extends RequestBase {
  readonly kind: 'list';
  /** The format of the response. Every format except `json` streams the records one by one. */
  readonly format: ResponseFormat;
  readonly parameters: QueryParameters;
}

export interface ReadRequest extends RequestBase {
  readonly kind: 'read';
  readonly key: KeyText;
  readonly parameters: QueryParameters;
}

export interface CreateRequest extends RequestBase {
  readonly kind: 'create';
  readonly body: JsonValue;
  readonly parameters: QueryParameters;
}

export interface UpdateRequest extends RequestBase {
  readonly kind: 'update';
  readonly key: KeyText;
  readonly ifMatch: TagList | null;
  readonly ifNoneMatch: TagList | null;
  readonly body: JsonValue;
  readonly parameters: QueryParameters;
}

export interface DeleteRequest extends RequestBase {
  readonly kind: 'delete';
  readonly key: KeyText;
  readonly ifMatch: TagList | null;
  readonly ifNoneMatch: TagList | null;
  readonly parameters: QueryParameters;
}

/** A request that changes every record that matches its filters. */
export interface UpdateManyRequest extends RequestBase {
  readonly kind: 'update_many';
  readonly body: JsonValue;
  readonly parameters: QueryParameters;
}

export interface DeleteManyRequest extends RequestBase {
  readonly kind: 'delete_many';
  readonly parameters: QueryParameters;
}

/** The entity tags of a condition. `any` is `*`, which matches every version. */
export type TagList =
  | { readonly kind: 'any' }
  | { readonly kind: 'tags'; readonly tags: readonly RecordTag[] };

/** A version of a record, as an `ETag` header contains it. */
export interface RecordTag {
  /** The number of the schema snapshot, which determines the columns that the digest covers. */
  readonly snapshot: number;
  readonly digest: string;
}

/** The decoded parts of `{id}`. For a composite key, the path segment is split at its unescaped commas. */
export type KeyText = readonly string[];

export interface Preferences {
  readonly result: 'representation' | 'minimal' | null;
  readonly transaction: 'commit' | 'rollback';
  readonly numbers: 'json' | 'string';
  /** The maximum number of records that a write by filter may change, from `max-affected`. */
  readonly maxAffected: number | null;
  /** The action of a create if a record with its key already exists. */
  readonly resolution: 'merge' | 'ignore' | null;
  /** Whether CSV output escapes texts that a spreadsheet would run as formulas. */
  readonly formulas: 'keep' | 'escape';
  /** The action of an import for a record that cannot be stored. */
  readonly onError: 'stop' | 'continue' | null;
  /** The preferences that were applied, as the client wrote them, for the header `Preference-Applied`. */
  readonly applied: readonly string[];
}

/** The query parameters after the syntax check. A parameter that is absent is null. */
export interface QueryParameters {
  readonly page: string | null;
  readonly limit: string | null;
  readonly offset: string | null;
  readonly sort: string | null;
  readonly order: string | null;
  readonly include: string | null;
  readonly createdAfter: string | null;
  readonly select: string | null;
  readonly omit: string | null;
  readonly count: string | null;
  /** A tree of conditions as JSON text. */
  readonly filter: string | null;
  readonly where: string | null;
  readonly q: string | null;
  readonly cursor: string | null;
  readonly distinct: string | null;
  readonly aggregate: string | null;
  readonly group: string | null;
  readonly having: string | null;
  readonly explain: string | null;
  readonly onConflict: string | null;
  readonly filters: readonly FilterParameter[];
  /** The options of includes, written `include[path][…]`. */
  readonly embeds: readonly EmbedParameter[];
}

/** One option of one include, such as `include[comments][limit]`. */
export interface EmbedParameter {
  readonly key: string;
  /** The path of the include as a list of relationship names. */
  readonly path: readonly string[];
  readonly option: EmbedOption;
  readonly value: string;
}

export type EmbedControl = 'limit' | 'sort' | 'where' | '_filter' | '_select' | '_omit' | 'created_after';

export type EmbedOption =
  | { readonly kind: 'control'; readonly control: EmbedControl }
  | ({ readonly kind: 'filter' } & FilterKey);

/** The left side of a filter condition, after the syntax check. */
export interface FilterKey {
  /**
   * The relationship names, followed by the column. With the operator `exists`, the last name is a
   * relationship instead.
   */
  readonly path: readonly string[];
  /**
   * The path into a JSON column in the syntax of MySQL and MariaDB, such as `$."a"[0]`. Null if the key has
   * no `->`.
   */
  readonly jsonPath: string | null;
  readonly operator: FilterOperator;
}

export interface FilterParameter extends FilterKey {
  /** The parameter name as the client sent it, percent-decoded. Errors report it in `loc`. */
  readonly key: string;
  readonly value: string;
}

/** The format of a request body with many records. */
export type RowsFormat = 'ndjson' | 'csv';

/** The format of the records in a response. */
export type ResponseFormat = 'json' | RowsFormat;
