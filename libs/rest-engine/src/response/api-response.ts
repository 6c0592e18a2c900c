/**
 * The response that the gateway sends. The gateway itself adds the CORS headers, the caching headers and the
 * request id.
 */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON text, or null for no body. For HEAD, the gateway omits the body and sends its length. */
  readonly body: string | Uint8Array | null;
  /**
   * Returns the tag for the digest of the body. The function is set when the tag depends on a large body,
   * whose digest the gateway computes in slices.
   */
  readonly tagWith?: (digested: string) => string;
}
