import type { CompiledTable, FilterOperator } from '@rowhouse/schema-model';
import type { JsonValue } from './json-value.js';
import type { AnswerFormat } from './negotiate-format.js';

/** What the gateway hands over; nothing in it has been decoded. */
export interface RawRequest {
  readonly method: string;
  /** Behind the prefix `/v1/-`, with its leading slash, percent escapes as sent: `/posts/5`. */
  readonly rawPath: string;
  /** Without the question mark; '' without a query. */
  readonly rawQuery: string;
  /** Lower-case names. Read here: accept, prefer, if-match, idempotency-key. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** From `parseJson`; undefined when there was no body. */
  readonly body: JsonValue | undefined;
}

export interface ParseOptions {
  /** Where the data API hangs: `/v1/-`. Used in Link and Location. */
  readonly prefix: string;
}

/** One call, understood by its syntax; names in it are checked by the planner. */
export type ApiRequest = ListRequest | ReadRequest | CreateRequest | UpdateRequest | DeleteRequest | UpdateManyRequest | DeleteManyRequest;

interface RequestBase {
  /** Of a write that is to happen once however often it is sent. */
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
  /** The parameters came in a body: no address leads on. */
  readonly isBody?: boolean;
}

export interface ListRequest extends RequestBase {
  readonly kind: 'list';
  /** Anything but `json`: the records one by one, as they come. */
  readonly format: AnswerFormat;
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

/** Every record that the filters find. */
export interface UpdateManyRequest extends RequestBase {
  readonly kind: 'update_many';
  readonly body: JsonValue;
  readonly parameters: QueryParameters;
}

export interface DeleteManyRequest extends RequestBase {
  readonly kind: 'delete_many';
  readonly parameters: QueryParameters;
}

/** `any`: `*`, whatever version there is. */
export type TagList = { readonly kind: 'any' } | { readonly kind: 'tags'; readonly tags: readonly RecordTag[] };

/** A version of a record as `ETag` gave it. */
export interface RecordTag {
  /** The number of the snapshot whose columns the digest covers. */
  readonly snapshot: number;
  readonly digest: string;
}

/** The decoded parts of `{id}`: split at raw commas when the key is composite. */
export type KeyText = readonly string[];

export interface Preferences {
  readonly result: 'representation' | 'minimal' | null;
  readonly transaction: 'commit' | 'rollback';
  readonly numbers: 'json' | 'string';
  /** What a write by filter may change at most. */
  readonly maxAffected: number | null;
  /** What happens to a record that is there already. */
  readonly resolution: 'merge' | 'ignore' | null;
  /** Of CSV: whether texts that a spreadsheet would run are made harmless. */
  readonly formulas: 'keep' | 'escape';
  /** Of an import: what happens at a record that cannot be stored. */
  readonly onError: 'stop' | 'continue' | null;
  /** For `Preference-Applied`, as sent. */
  readonly applied: readonly string[];
}

/** Query parameters by their syntax. Null: not given. */
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
  /** `include[path][…]`. */
  readonly embeds: readonly EmbedParameter[];
}

/** One option of one include. */
export interface EmbedParameter {
  readonly key: string;
  /** Of the include: relationship names. */
  readonly path: readonly string[];
  readonly option: EmbedOption;
  readonly value: string;
}

export type EmbedControl = 'limit' | 'sort' | 'where' | '_filter' | '_select' | '_omit' | 'created_after';
export type EmbedOption = { readonly kind: 'control'; readonly control: EmbedControl } | ({ readonly kind: 'filter' } & FilterKey);

/** What a condition is about, by its syntax. */
export interface FilterKey {
  /** Relationship names, then the column (a relationship for `exists`). */
  readonly path: readonly string[];
  /** Into a JSON column, in the path language of the engines: `$."a"[0]`; null without `->`. */
  readonly jsonPath: string | null;
  readonly operator: FilterOperator;
}

export interface FilterParameter extends FilterKey {
  /** As sent, decoded: for the `loc` of a fault. */
  readonly key: string;
  readonly value: string;
}
