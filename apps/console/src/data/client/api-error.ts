/**
 * An error response of the control API or the gateway. The code is `network.failed` when no response arrived.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The error messages to show, at least one. */
  readonly details: readonly string[];
  /** The rejected members of the request. Empty unless `detail` is a list. */
  readonly faults: readonly RequestFault[];
  readonly hint: string | null;
  readonly requestId: string | null;
  /** The other members of the response body, such as `loss` and `statement`. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, body: unknown, requestIdHeader: string | null = null) {
    const members = isRecord(body) ? body : {};
    const { detail, code, hint, request_id: requestId, ...extra } = members;
    const faults = Array.isArray(detail) ? detail.map(readFault) : [];
    const details = typeof detail === 'string' ? [detail] : faults.map(formatFault);
    super(details[0] ?? `The server responded with status ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = typeof code === 'string' ? code : `http.${status}`;
    this.details = details.length > 0 ? details : [this.message];
    this.faults = faults;
    this.hint = typeof hint === 'string' ? hint : null;
    this.requestId = typeof requestId === 'string' ? requestId : requestIdHeader;
    this.extra = extra;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A rejected member of a request. */
export interface RequestFault {
  /** The path of the member in the body, or the name of the parameter. Empty for the whole request. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Reads one `{loc, msg, type}` object of an error response. The first part of `loc` is `body` or `query`. */
export function readFault(fault: unknown): RequestFault {
  if (!isRecord(fault)) return { path: [], message: String(fault) };
  const loc = Array.isArray(fault['loc']) ? fault['loc'] : [];
  return {
    path: loc
      .slice(loc[0] === 'body' || loc[0] === 'query' ? 1 : 0)
      .map((part) => (typeof part === 'number' ? part : String(part))),
    message: typeof fault['msg'] === 'string' ? fault['msg'] : 'is not valid',
  };
}

/** Formats a fault for display, such as `tables.posts: unknown table`. */
export function formatFault({ path, message }: RequestFault): string {
  return path.length > 0 ? `${path.join('.')}: ${message}` : message;
}

/** Converts any thrown value to an `ApiError`, which components can show. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new ApiError(0, { detail, code: 'console.defect' });
}

/** Returns whether a failed write may have been stored: no response arrived, or the server failed. */
export function isUnknownOutcome(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status === 0 || error.status >= 500 || error.code === 'idempotency.running';
}
