export interface UsageCounts {
  requests: number;
  /** The number of responses with status 429 or 500 and above. */
  errors: number;
  limited: number;
  rows_out: number;
  bytes_out: number;
  /** The mean over the requests. 0 without requests. */
  mean_ms: number;
}

/**
 * The usage of one interval. `at` is the start of the minute, hour or day. Intervals without requests are
 * omitted.
 */
export interface UsageItem extends UsageCounts {
  at: string;
}

/** The usage by interval. `totals` cover the whole time span, not only the page. */
export interface UsageResponse extends ListResponse<UsageItem> {
  from: string;
  to: string;
  totals: UsageCounts;
  storage: { bytes: number; bytes_max: number | null; measured_at: string | null; is_full: boolean };
}

/**
 * Requests by key or by table, sorted by number. Days without requests are omitted. `id` is a key id or the
 * path of a table. It is null for requests that concern no table.
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
 * A limit and its current use. `max` is null if unlimited. `resets_at` is null for a value that does not
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
 * The limits of a database. `limited_today` is the number of requests rejected with 429 since midnight UTC.
 */
export interface LimitsResponse {
  plan: string;
  limited_today: number;
  items: LimitItem[];
}

/**
 * A line of the request log. Above a hundred requests per second, the log holds a sample. `shape` describes
 * the parameters of a slow list. `key_name` is null without a key or when the key is gone.
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
 * Slow lists of one table that use the same columns. `index_sql` creates an index for them. It is null when a
 * suitable index exists or none can be created.
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

/** Findings from the newest `sampled` lines of the request log. Findings about keys use the last 30 days. */
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
