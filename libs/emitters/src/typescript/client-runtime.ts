import { API_PREFIX } from '@rowhouse/contracts';

/** The TypeScript source of the client's runtime, which is the same for every schema. */
export const CLIENT_RUNTIME = `/** The runtime of the generated client. It is the same for every schema. */

/** A table's columns that need a conversion, and the target tables of its relationships. */
export interface TableShape {
  readonly path: string;
  readonly key: readonly string[];
  /** Columns that are sent as text to preserve all digits, and converted to numbers. */
  readonly numbers: readonly string[];
  readonly bigints: readonly string[];
  readonly relations: ReadonlyMap<string, string>;
}

/** The types of one table, which the methods below use. */
export interface TableTypes {
  record: object;
  create: object;
  update: object;
  key: unknown;
  relations: object;
}

export interface ClientOptions {
  /** The URL of the data API without \`/v1/-\`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** An error response of the data API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: string,
    /** A sentence, or a list of errors for status 422. */
    readonly detail: unknown,
    readonly hint: string | undefined,
    readonly requestId: string | undefined,
  ) {
    super(String(status) + ' ' + code + ': ' + (typeof detail === 'string' ? detail : JSON.stringify(detail)));
  }
}

/** A time relative to now, for use instead of a date: \`{ $expr: 'NOW() - INTERVAL 7 DAY' }\`. */
export interface RelativeDate {
  readonly $expr: string;
}
type Moment<T> = T extends string ? T | RelativeDate : T;

/** A comparison with a value, or with another column of the same row, which is one of \`Column\`. */
export type Comparison<T, Column extends string = string> =
  | T
  | {
      readonly eq?: Moment<T>; readonly ne?: Moment<T>; readonly gt?: Moment<T>; readonly gte?: Moment<T>; readonly lt?: Moment<T>; readonly lte?: Moment<T>;
      readonly in?: readonly T[]; readonly not_in?: readonly T[]; readonly like?: string; readonly icontains?: string; readonly isnull?: boolean;
      readonly eq_column?: Column; readonly ne_column?: Column; readonly gt_column?: Column; readonly gte_column?: Column; readonly lt_column?: Column; readonly lte_column?: Column;
    };
export type Where<Row> = { readonly [Name in keyof Row]?: Comparison<NonNullable<Row[Name]>, keyof Row & string> | null };
/**
 * A column with \`-\` before it for descending order. The suffix places NULL, which is lower than all values
 * by default. \`data->a.b\` is a value inside a JSON column.
 */
export type Sort<Row> = \`\${'' | '-'}\${keyof Row & string}\${'' | ':nulls_first' | ':nulls_last' | \`->\${string}\`}\`;

interface Casts {
  string: string;
  number: number;
  boolean: boolean;
  date: string;
}
/** A column or a value inside a JSON column (\`data->a.b\`), optionally with a cast (\`price::string\`). */
export type Selectable<Row> = \`\${keyof Row & string}\${'' | \`::\${keyof Casts}\` | \`->\${string}\`}\`;
/** The selected values by their names in the response. */
export type Selection<Row> = Readonly<Record<string, Selectable<Row>>>;
export type Selected<Row, S> = { [Member in keyof S]: SelectedValue<Row, S[Member]> };
type SelectedValue<Row, Item> = Item extends keyof Row ? Row[Item] : Item extends \`\${string}::\${infer Name extends keyof Casts}\` ? Casts[Name] | null : unknown;

/**
 * A relationship, or \`count:\${relationship}\` for the number of its rows, which becomes
 * \`count_\${relationship}\`.
 */
export type Included<T extends TableTypes> = keyof T['relations'] | \`count:\${ToMany<T>}\`;
type ToMany<T extends TableTypes> = { [Name in keyof T['relations'] & string]: T['relations'][Name] extends readonly unknown[] ? Name : never }[keyof T['relations'] & string];

export interface ReadOptions<T extends TableTypes, I extends Included<T>> {
  readonly include?: readonly I[];
}
export interface ListOptions<T extends TableTypes, I extends Included<T>> extends ReadOptions<T, I> {
  readonly where?: Where<T['record']>;
  readonly sort?: readonly (Sort<T['record']> | Sort<Counts<I>>)[];
  readonly page?: number;
  readonly limit?: number;
  /** Other parameters of the data API. */
  readonly params?: Readonly<Record<string, string>>;
}
export interface WriteOptions {
  /** Makes retries safe: the same key returns the same response. */
  readonly idempotencyKey?: string;
}
export interface ChangeOptions extends WriteOptions {
  /** The version that was read. The request fails with 412 if the row has changed since. */
  readonly ifMatch?: string;
}
export type Found<T extends TableTypes, I extends Included<T>> = T['record'] & Pick<T['relations'], Extract<I, keyof T['relations']>> & Counts<I>;
/** A row in which \`{ $inc: 1 }\` adds to the stored number. */
export type Counted<Row> = { [Column in keyof Row]: Row[Column] | (Extract<Row[Column], number | bigint> extends never ? never : { readonly $inc: number | bigint | string }) };
/** The numbers of related rows for each count. */
export type Counts<I> = { [Name in I as Name extends \`count:\${infer Counted}\` ? \`count_\${Counted}\` : never]: number };

/** Sends requests to the data API. \`bigint\` values are sent with all digits. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #shapes: ReadonlyMap<string, TableShape>;

  constructor(options: ClientOptions, shapes: ReadonlyMap<string, TableShape>) {
    this.#options = options;
    this.#shapes = shapes;
  }

  async call(method: string, path: string, request: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {}): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }> {
    const send = this.#options.fetch ?? globalThis.fetch;
    const res = await send(this.#options.baseUrl.replace(/\\/+$/, '') + '${API_PREFIX}' + path, {
      method,
      headers: { Authorization: 'Bearer ' + this.#options.key, Accept: 'application/json', Prefer: 'numbers=string', ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }), ...request.headers },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)) }),
    });
    const text = await res.text();
    const body = text === '' ? undefined : toJson(text);
    if (res.ok) return { status: res.status, body, headers: res.headers };
    const fault = (typeof body === 'object' && body !== null ? body : {}) as { code?: string; detail?: unknown; hint?: string; request_id?: string };
    throw new ApiError(res.status, fault.code ?? 'http.' + String(res.status), fault.detail ?? text.slice(0, 200), fault.hint, fault.request_id);
  }

  shape(table: string): TableShape {
    const shape = this.#shapes.get(table);
    if (shape === undefined) throw new Error('Unknown table ' + table + '.');
    return shape;
  }

  /** Converts text to numbers, also in included rows. */
  revive(table: string, record: unknown): unknown {
    if (Array.isArray(record)) return record.map((one) => this.revive(table, one));
    if (typeof record !== 'object' || record === null) return record;
    const shape = this.shape(table);
    return Object.fromEntries(Object.entries(record).map(([name, value]): [string, unknown] => {
      const far = shape.relations.get(name);
      return [name, far === undefined ? this.reviveValue(shape, name, value) : this.revive(far, value)];
    }));
  }

  reviveValue(shape: TableShape, column: string, value: unknown): unknown {
    if (typeof value !== 'string') return value;
    if (shape.bigints.includes(column)) return BigInt(value);
    return shape.numbers.includes(column) ? Number(value) : value;
  }
}

/** The methods of tables whose rows can only be listed. */
export class ReadTable<T extends TableTypes> {
  protected readonly transport: Transport;
  protected readonly table: string;

  constructor(transport: Transport, table: string) {
    this.transport = transport;
    this.table = table;
  }

  async list<I extends Included<T> = never>(options: ListOptions<T, I> = {}): Promise<Found<T, I>[]> {
    return (await this.#page(options, {})).records;
  }

  /**
   * Lists rows with only these members: \`{ label: 'name', price: 'price::string', country:
   * 'data->origin.country' }\`.
   */
  async select<const S extends Selection<T['record']>>(members: S, options: Omit<ListOptions<T, never>, 'include'> = {}): Promise<Selected<T['record'], S>[]> {
    const items = Object.entries<string>(members);
    const answer = await this.transport.call('GET', '/' + this.shape.path + toSearch(options, { _select: items.map(([name, item]) => quoteName(name) + ':' + toMember(item)).join(',') }));
    const columns = new Map(items);
    const revive = ([name, value]: [string, unknown]): [string, unknown] => [name, this.transport.reviveValue(this.shape, columns.get(name) ?? '', value)];
    return (answer.body as object[]).map((record) => Object.fromEntries(Object.entries(record).map(revive))) as Selected<T['record'], S>[];
  }

  /** Yields all rows that match the options, page by page. */
  async *each<I extends Included<T> = never>(options: Omit<ListOptions<T, I>, 'page'> = {}): AsyncGenerator<Found<T, I>, void> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { records: Found<T, I>[]; next: string | null } = await this.#page(options, { _cursor: cursor });
      yield* page.records;
      cursor = page.next;
    }
  }

  async count(options: Pick<ListOptions<T, never>, 'where' | 'params'> = {}): Promise<number> {
    const answer = await this.transport.call('GET', '/' + this.shape.path + toSearch({ ...options, limit: 0 }, { _count: 'exact' }));
    return Number(answer.headers.get('x-total-count') ?? 0);
  }

  protected get shape(): TableShape {
    return this.transport.shape(this.table);
  }

  async #page<I extends Included<T>>(options: ListOptions<T, I>, more: Readonly<Record<string, string>>): Promise<{ records: Found<T, I>[]; next: string | null }> {
    const answer = await this.transport.call('GET', '/' + this.shape.path + toSearch(options, more));
    return { records: this.transport.revive(this.table, answer.body) as Found<T, I>[], next: answer.headers.get('x-next-cursor') };
  }
}

/** The methods of a table without a key, whose rows can be listed and created. */
export class KeylessTable<T extends TableTypes> extends ReadTable<T> {
  /** Returns the number of created rows. */
  async create(record: T['create'], options: WriteOptions = {}): Promise<number> {
    const answer = await this.transport.call('POST', '/' + this.shape.path, { body: record, headers: toHeaders(options) });
    return Number((answer.body as { created: number | string }).created);
  }
}

/** The methods of a table. */
export class Table<T extends TableTypes> extends ReadTable<T> {
  /** Returns a row. Throws an \`ApiError\` with status 404 if it does not exist. */
  async get<I extends Included<T> = never>(key: T['key'], options: ReadOptions<T, I> = {}): Promise<Found<T, I>> {
    return (await this.getWithVersion(key, options)).record;
  }

  /** Returns a row with its version for \`ifMatch\`. */
  async getWithVersion<I extends Included<T> = never>(key: T['key'], options: ReadOptions<T, I> = {}): Promise<{ record: Found<T, I>; version: string | null }> {
    const answer = await this.transport.call('GET', this.#path(key) + toSearch(options, {}));
    return { record: this.transport.revive(this.table, answer.body) as Found<T, I>, version: answer.headers.get('etag') };
  }

  /** Returns a row, or null if it does not exist. */
  async find<I extends Included<T> = never>(key: T['key'], options: ReadOptions<T, I> = {}): Promise<Found<T, I> | null> {
    try {
      return await this.get(key, options);
    } catch (err) {
      if (err instanceof ApiError && err.status === 404) return null;
      throw err;
    }
  }

  async create(record: T['create'], options: WriteOptions = {}): Promise<T['record']> {
    const answer = await this.transport.call('POST', '/' + this.shape.path, { body: record, headers: toHeaders(options) });
    return this.transport.revive(this.table, answer.body) as T['record'];
  }

  /** Creates all rows in one transaction. */
  async createMany(records: readonly T['create'][], options: WriteOptions = {}): Promise<T['record'][]> {
    const answer = await this.transport.call('POST', '/' + this.shape.path, { body: records, headers: toHeaders(options) });
    return this.transport.revive(this.table, answer.body) as T['record'][];
  }

  /**
   * Creates a row, or updates the row with the same values in \`onConflict\`, which are the columns of a
   * unique key. \`{ $inc: 1 }\` adds to the stored number.
   */
  async upsert(record: Counted<T['create']>, onConflict: readonly (keyof T['record'] & string)[], options: WriteOptions = {}): Promise<T['record']> {
    const answer = await this.transport.call('POST', '/' + this.shape.path + '?_on_conflict=' + encodeURIComponent(onConflict.map(quoteName).join(',')), { body: record, headers: toHeaders(options) });
    return this.transport.revive(this.table, answer.body) as T['record'];
  }

  /** Updates a row. Omitted columns keep their values. */
  async update(key: T['key'], changes: T['update'], options: ChangeOptions = {}): Promise<T['record']> {
    const answer = await this.transport.call('PATCH', this.#path(key), { body: changes, headers: toHeaders(options) });
    return this.transport.revive(this.table, answer.body) as T['record'];
  }

  async delete(key: T['key'], options: ChangeOptions = {}): Promise<void> {
    await this.transport.call('DELETE', this.#path(key), { headers: toHeaders(options) });
  }

  /** The values of a composite key are separated by commas. */
  #path(key: T['key']): string {
    const values: readonly unknown[] = Array.isArray(key) ? key : [key];
    return '/' + this.shape.path + '/' + values.map((value) => encodeURIComponent(String(value))).join(',');
  }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toHeaders(options: ChangeOptions): Record<string, string> {
  return { ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }), ...(options.ifMatch === undefined ? {} : { 'If-Match': options.ifMatch }) };
}

interface AnyOptions {
  readonly include?: readonly PropertyKey[];
  readonly where?: object;
  readonly sort?: readonly string[];
  readonly page?: number;
  readonly limit?: number;
  readonly params?: Readonly<Record<string, string>>;
}

function toSearch(options: AnyOptions, more: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams({ ...options.params, ...more });
  if (options.include !== undefined && options.include.length > 0) search.set('include', options.include.map((name) => toItem(String(name))).join(','));
  if (options.sort !== undefined && options.sort.length > 0) search.set('sort', options.sort.map(toSortKey).join(','));
  if (options.page !== undefined) search.set('page', String(options.page));
  if (options.limit !== undefined) search.set('limit', String(options.limit));
  const conditions = Object.entries(options.where ?? {}).flatMap(([name, value]) => toConditions(name, value));
  if (conditions.length > 0) search.set('_filter', JSON.stringify({ and: conditions }, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)));
  const text = search.toString();
  return text === '' ? '' : '?' + text;
}

function toConditions(name: string, value: unknown): object[] {
  if (value === undefined) return [];
  if (value === null) return [Object.fromEntries([[quoteName(name) + '__isnull', true]])];
  if (typeof value !== 'object' || Array.isArray(value)) return [Object.fromEntries([[quoteName(name) + '__eq', value]])];
  return Object.entries(value).filter(([, operand]) => operand !== undefined).map(([operator, operand]) => Object.fromEntries([[quoteName(name) + '__' + operator, operand]]));
}

function toSortKey(key: string): string {
  const [, sign = '', name = '', inside = '', nulls = ''] = /^(-?)([^]*?)(->[^]*?)?(:nulls_(?:first|last))?$/.exec(key) ?? [];
  return sign + quoteName(name) + inside + nulls;
}

/** Formats an item of \`select\`. */
function toMember(item: string): string {
  const [, name = '', rest = ''] = /^([^]*?)((?:->[^]*?)?(?:::[a-z]+)?)$/.exec(item) ?? [];
  return quoteName(name) + rest;
}

/** Formats an item of \`include\`. */
function toItem(name: string): string {
  return name.startsWith('count:') ? 'count:' + quoteName(name.slice(6)) : quoteName(name);
}

/** Quotes names that the filter syntax could misread. */
function quoteName(name: string): string {
  return /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/.test(name) ? name : '\`' + name.replaceAll('\`', '\`\`') + '\`';
}
`;
