export interface UsageCounts {
  requests: number;
  /** The number of responses with status 429, or with a status of 500 and above. */
  errors: number;
  limited: number;
  rows_out: number;
  bytes_out: number;
  /** The mean duration of a request in milliseconds. It is 0 without requests. */
  mean_ms: number;
}

/**
 * The usage in one interval. `at` is the start of the minute, hour or day. Intervals without requests are
 * omitted.
 */
export interface UsageItem extends UsageCounts {
  at: string;
}

/** The usage by interval. `totals` is for the whole time range, not only for the page. */
export interface UsageResponse extends ListResponse<UsageItem> {
  from: string;
  to: string;
  totals: UsageCounts;
  storage: { bytes: number; bytes_max: number | null; measured_at: string | null; is_full: boolean };
}

/**
 * The number of requests by API key or by table, in descending order. Days without requests are omitted. `id`
 * is the id of the key or the path of the table. It is null for requests that concern no table.
 */
export interface UsageShare {
  id: string | null;
  name: string;
  requests: number;
  days: { day: string; requests: number }[];
}

export interface UsageBreakdownResponse {
  by: 'key' | 'table';
  since: string;
  items: UsageShare[];
}

/**
 * A limit and its current use. `max` is null for an unlimited use. `resets_at` is null if the use does not
 * reset.
 */
export interface LimitItem {
  name: string;
  unit: 'bytes' | 'requests_per_second' | 'tokens';
  used: number | null;
  max: number | null;
  resets_at: string | null;
  is_reached: boolean;
}

/**
 * The limits of a database. `limited_today` is the number of requests that were rejected with 429 since
 * midnight UTC.
 */
export interface LimitsResponse {
  plan: string;
  limited_today: number;
  items: LimitItem[];
}

/**
 * A line of the request log. Above a hundred requests per second, the log contains a sample. `shape`
 * describes the parameters of a slow list. `key_name` is null if the request had no API key or if the key was
 * deleted.
 */
export interface RequestItem {
  id: string;
  at: string;
  request_id: string;
  key_id: string | null;
  key_name: string | null;
  method: string;
  route: string;
  status: number;
  code: string;
  duration_ms: number;
  rows_out: number;
  shape: string | null;
}

export interface RouteInsight {
  route: string;
  requests: number;
  errors: number;
  refused: number;
  mean_ms: number;
  p50_ms: number;
  p95_ms: number;
  rows_out: number;
}

/**
 * Slow lists that use the same columns of a table. `index_sql` is the statement that creates an index for
 * them. It is null if a suitable index exists or none is possible.
 */
export interface SlowShape {
  table: string;
  asked: string;
  requests: number;
  mean_ms: number;
  index_sql: string | null;
}

export interface KeyInsight {
  id: string;
  name: string;
  requests: number;
  last_used_at: string | null;
}

/**
 * Findings about the newest `sampled` lines of the request log. Findings about API keys are for the last 30
 * days.
 */
export interface InsightsResponse {
  since: string;
  sampled: number;
  routes: RouteInsight[];
  codes: { code: string; status: number; count: number }[];
  keys: KeyInsight[];
  unused_keys: KeyInsight[];
  slow_shapes: SlowShape[];
}

export interface ListResponse<T> {
  items: T[];
  next_cursor: string | null;
}
