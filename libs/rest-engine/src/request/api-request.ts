import type { CompiledTable, FilterOperator } from '@rowhouse/schema-model';
import type { JsonValue } from './json-value.js';

/** A request as the gateway received it. Nothing in it is decoded. */
export interface RawRequest {
  readonly method: string;
  /**
   * The path after the prefix `/v1/-`, with its leading slash and with percent escapes as sent, such as
   * `/posts/5`.
   */
  readonly rawPath: string;
  /** The query without the question mark. It is '' for a request without a query. */
  readonly rawQuery: string;
  /**
   * The headers by their lower-case names. The parser reads accept, prefer, if-match, if-none-match and
   * idempotency-key.
   */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The result of `parseJson`, or undefined without a body. */
  readonly body: JsonValue | undefined;
}

export interface ParseOptions {
  /** The path prefix of the data API, `/v1/-`. It is used in Link and Location. */
  readonly prefix: string;
}

/** A request with a valid syntax. The planner checks the names in it. */
export type ApiRequest =
  | ListRequest
  | ReadRequest
  | CreateRequest
  | UpdateRequest
  | DeleteRequest
  | UpdateManyRequest
  | DeleteManyRequest;

interface RequestBase {
  /** The key that makes a repeated write take effect only once. */
  readonly idempotencyKey: string | null;
  readonly table: CompiledTable;
  /** The address as sent, for Link and Location. */
  readonly address: RequestAddress;
  readonly preferences: Preferences;
}

export interface RequestAddress {
  readonly prefix: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  /** Whether the parameters came in a body. Links to other pages are omitted then. */
  readonly isBody?: boolean;
}

export interface ListRequest extends RequestBase {
  readonly kind: 'list';
  /** Every format except `json` streams the records one by one. */
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

/** Changes every record that matches the filters. */
export interface UpdateManyRequest extends RequestBase {
  readonly kind: 'update_many';
  readonly body: JsonValue;
  readonly parameters: QueryParameters;
}

export interface DeleteManyRequest extends RequestBase {
  readonly kind: 'delete_many';
  readonly parameters: QueryParameters;
}

/** The tags of a condition. `any` is `*`, which matches every version. */
export type TagList =
  | { readonly kind: 'any' }
  | { readonly kind: 'tags'; readonly tags: readonly RecordTag[] };

/** A version of a record, as returned in `ETag`. */
export interface RecordTag {
  /** The number of the snapshot. Its columns determine which cells the digest covers. */
  readonly snapshot: number;
  readonly digest: string;
}

/** The decoded parts of `{id}`. The segment of a composite key is split at unescaped commas. */
export type KeyText = readonly string[];

export interface Preferences {
  readonly result: 'representation' | 'minimal' | null;
  readonly transaction: 'commit' | 'rollback';
  readonly numbers: 'json' | 'string';
  /** The maximum number of records that a write by filter may change. */
  readonly maxAffected: number | null;
  /** The behavior for a record that already exists. */
  readonly resolution: 'merge' | 'ignore' | null;
  /** Whether CSV output escapes texts that a spreadsheet would run as formulas. */
  readonly formulas: 'keep' | 'escape';
  /** The behavior of an import for a record that cannot be stored. */
  readonly onError: 'stop' | 'continue' | null;
  /** The applied preferences as sent, for `Preference-Applied`. */
  readonly applied: readonly string[];
}

/** Query parameters after the syntax check. Null means that a parameter is absent. */
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

/** One option of one include. */
export interface EmbedParameter {
  readonly key: string;
  /** The path of the include, as relationship names. */
  readonly path: readonly string[];
  readonly option: EmbedOption;
  readonly value: string;
}

export type EmbedControl = 'limit' | 'sort' | 'where' | '_filter' | '_select' | '_omit' | 'created_after';

export type EmbedOption =
  | { readonly kind: 'control'; readonly control: EmbedControl }
  | ({ readonly kind: 'filter' } & FilterKey);

/** The subject of a condition after the syntax check. */
export interface FilterKey {
  /** Relationship names followed by the column, or by a relationship for `exists`. */
  readonly path: readonly string[];
  /**
   * The path into a JSON column in the path syntax of MySQL and MariaDB, such as `$."a"[0]`. Null without
   * `->`.
   */
  readonly jsonPath: string | null;
  readonly operator: FilterOperator;
}

export interface FilterParameter extends FilterKey {
  /** The decoded key as sent, for the `loc` of a fault. */
  readonly key: string;
  readonly value: string;
}

/** The format of a request body with many records. */
export type RowsFormat = 'ndjson' | 'csv';

/** The format of the records in a response. */
export type ResponseFormat = 'json' | RowsFormat;
