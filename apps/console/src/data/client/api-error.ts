/** An error response of the control API or the gateway. The code is `network.failed` without a response. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly string[];
  readonly hint: string | null;
  readonly requestId: string | null;
  /** Other members of the body (`loss`, `statement`, …). */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, body: unknown, requestIdHeader: string | null = null) {
    const members = isRecord(body) ? body : {};
    const { detail, code, hint, request_id: requestId, ...extra } = members;
    const details = readDetails(detail);
    super(details[0] ?? `The server responded with status ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = typeof code === 'string' ? code : `http.${status}`;
    this.details = details.length > 0 ? details : [this.message];
    this.hint = typeof hint === 'string' ? hint : null;
    this.requestId = typeof requestId === 'string' ? requestId : requestIdHeader;
    this.extra = extra;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `detail` is a sentence, or with status 422 a list of `{loc, msg, type}`. */
function readDetails(detail: unknown): string[] {
  if (typeof detail === 'string') return [detail];
  if (!Array.isArray(detail)) return [];
  return detail.map((fault: unknown) => {
    if (!isRecord(fault)) return String(fault);
    const message = typeof fault['msg'] === 'string' ? fault['msg'] : 'is not valid';
    const path = Array.isArray(fault['loc'])
      ? fault['loc'].filter((part) => part !== 'body' && part !== 'query')
      : [];
    return path.length > 0 ? `${path.join('.')}: ${message}` : message;
  });
}

/** Converts any thrown value for display. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new ApiError(0, { detail, code: 'console.defect' });
}
