import type { DataProvider, RaRecord } from 'react-admin';

export interface Options {
  /** The base URL of the data API, as the Connect page of the console shows it. */
  readonly url: string;
  readonly apiKey: string;
  /** The primary keys of tables whose key is not `id`, for example `{ post_tags: ['post_id', 'tag_id'] }`. */
  readonly primaryKeys?: Readonly<Record<string, readonly string[]>>;
}

type Values = Record<string, unknown>;
interface Request {
  readonly query?: Values | undefined;
  readonly body?: Values | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly signal?: AbortSignal | undefined;
}
interface Reply {
  readonly json: unknown;
  readonly headers: Headers;
}

/** The error of a refused request. `body.errors` holds a message for each field, which forms show next to the field. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: { readonly errors: Record<string, string>; readonly code: unknown };

  constructor(status: number, answer: Values) {
    const faults = Array.isArray(answer['detail'])
      ? (answer['detail'] as { loc: unknown[]; msg: string }[])
      : [];
    const detail =
      faults.length > 0
        ? faults.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')
        : answer['detail'];
    super(
      status === 412
        ? 'Someone else changed this record. Reload it and try again.'
        : String(detail ?? `The API answered ${status}.`),
    );
    this.status = status;
    const ofFields = faults.filter(({ loc }) => loc[0] === 'body' && loc.length > 1);
    this.body = {
      errors: Object.fromEntries(ofFields.map(({ loc, msg }) => [String(loc[1]), msg])),
      code: answer['code'],
    };
  }
}

/**
 * Creates a data provider for the data API of one database. Each record carries its version as `_etag`, so `update` and
 * `delete` fail with 412 when the record has changed since it was loaded.
 */
export function createDataProvider({ url, apiKey, primaryKeys = {} }: Options): DataProvider {
  const keyOf = (resource: string): readonly string[] => primaryKeys[resource] ?? ['id'];

  async function send(
    method: string,
    path: string,
    { query = {}, body, headers = {}, signal }: Request = {},
  ): Promise<Reply> {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, toText(value)]));
    const response = await fetch(`${url}/v1/-${path}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      // JavaScript rounds numbers of more than 53 bits, so the server is asked to send them as strings.
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        Prefer: 'numbers=string',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    const json: unknown = text === '' ? null : JSON.parse(text);
    if (!response.ok) throw new ApiError(response.status, json as Values);
    return { json, headers: response.headers };
  }

  /**
   * Adds the `id` that react-admin needs. If the key has several columns, the id consists of their values,
   * separated by commas.
   */
  function toRecord<T extends RaRecord>(resource: string, values: unknown, etag?: string | null): T {
    const record = { ...(values as Values), ...(etag ? { _etag: etag } : {}) } as Values;
    const [first = 'id', ...others] = keyOf(resource);
    const id =
      others.length === 0
        ? record[first]
        : [first, ...others].map((name) => encodeURIComponent(String(record[name]))).join(',');
    return { ...record, id } as T;
  }

  function pathOf(resource: string, id: unknown): string {
    return `/${encodeURIComponent(resource)}/${keyOf(resource).length === 1 ? encodeURIComponent(String(id)) : String(id)}`;
  }

  /** Returns the condition that finds the records with these ids. */
  function byIds(resource: string, ids: readonly unknown[]): Values {
    const [first = 'id', ...others] = keyOf(resource);
    if (others.length === 0) return { [`${first}__in`]: ids };
    const values = (id: unknown): string[] => String(id).split(',').map(decodeURIComponent);
    return {
      _filter: {
        or: ids.map((id) =>
          Object.fromEntries([first, ...others].map((name, index) => [name, values(id)[index]])),
        ),
      },
    };
  }

  function toSort(resource: string, sort: { field: string; order: string } | undefined): string[] {
    if (sort === undefined) return [];
    const names = sort.field === 'id' ? keyOf(resource) : [sort.field];
    return names.map((name) => (sort.order === 'DESC' ? `-${name}` : name));
  }

  /** Uses `POST /_search`, which accepts the parameters of a list as JSON of any length. */
  async function search(
    resource: string,
    conditions: Values,
    { meta, signal, ...rest }: Values,
  ): Promise<{ records: RaRecord[]; total: number }> {
    const body = { _select: ['*', '_etag'], _count: 'exact', ...(meta as Values), ...rest, ...conditions };
    const { json, headers } = await send('POST', `/_search/${encodeURIComponent(resource)}`, {
      body,
      signal: signal as AbortSignal,
    });
    const records = (json as Values[]).map((values) => toRecord(resource, values));
    return { records, total: Number(headers.get('X-Total-Count')) };
  }

  const provider = {
    supportAbortSignal: true,

    async getList(resource, { pagination, sort, filter, meta, signal }) {
      const { page = 1, perPage = 25 } = pagination ?? {};
      const shape = { page, limit: perPage, sort: toSort(resource, sort), meta, signal };
      const { records, total } = await search(resource, toConditions(filter), shape);
      return { data: records, total };
    },

    async getOne(resource, { id, meta, signal }) {
      const { json, headers } = await send('GET', pathOf(resource, id), { query: meta, signal });
      return { data: toRecord(resource, json, headers.get('ETag')) };
    },

    async getMany(resource, { ids, meta, signal }) {
      const { records } = await search(resource, byIds(resource, ids), { limit: ids.length, meta, signal });
      return { data: records };
    },

    async getManyReference(resource, { target, id, ...params }) {
      return provider.getList(resource, { ...params, filter: { ...params.filter, [target]: id } });
    },

    async create(resource, { data }) {
      const { json, headers } = await send('POST', `/${encodeURIComponent(resource)}`, { body: data });
      return { data: toRecord(resource, json, headers.get('ETag')) };
    },

    async update(resource, { id, data, previousData }) {
      const body = listChanges(data, previousData);
      const { json, headers } = await send('PATCH', pathOf(resource, id), {
        body,
        headers: toIfMatch(previousData),
      });
      return { data: toRecord(resource, json, headers.get('ETag')) };
    },

    async updateMany(resource, { ids, data }) {
      const headers = { Prefer: `max-affected=${ids.length}` };
      await send('PATCH', `/${encodeURIComponent(resource)}`, {
        query: byIds(resource, ids),
        body: listChanges(data, {}),
        headers,
      });
      return { data: ids };
    },

    async delete(resource, { id, previousData }) {
      await send('DELETE', pathOf(resource, id), { headers: toIfMatch(previousData) });
      return { data: previousData ?? { id } };
    },

    async deleteMany(resource, { ids }) {
      const headers = { Prefer: `max-affected=${ids.length}` };
      await send('DELETE', `/${encodeURIComponent(resource)}`, { query: byIds(resource, ids), headers });
      return { data: ids };
    },
  } as DataProvider;
  return provider;
}

/**
 * Converts a filter of react-admin to parameters of a list. Names may end in an operator (`title__contains`), lists mean
 * "one of", and `null` means NULL. React-admin nests names with dots, such as `user.username`. `q` searches FULLTEXT indexes.
 */
function toConditions(filter: Values = {}, prefix = ''): Values {
  const conditions: Values = {};
  for (const [key, value] of Object.entries(filter)) {
    const name = prefix === '' && key === 'q' ? '_q' : `${prefix}${key}`;
    if (value === undefined || value === '') continue;
    else if (key.startsWith('_') || key.includes('__') || typeof value !== 'object') conditions[name] = value;
    else if (value === null) conditions[`${name}__isnull`] = true;
    else if (Array.isArray(value)) conditions[`${name}__in`] = value;
    else Object.assign(conditions, toConditions(value as Values, `${name}.`));
  }
  return conditions;
}

/** Returns the members that differ, so that an update sends neither included records nor generated columns. */
function listChanges(data: Values, previous: Values | undefined): Values {
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    name !== '_etag' && JSON.stringify(value) !== JSON.stringify(previous?.[name]);
  return Object.fromEntries(Object.entries(data).filter(isChanged));
}

function toIfMatch(previous: Values | undefined): Record<string, string> {
  const etag = previous?.['_etag'];
  return typeof etag === 'string' ? { 'If-Match': etag } : {};
}

function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
