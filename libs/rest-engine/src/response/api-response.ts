/**
 * The response that the gateway sends to the client. The gateway adds the CORS headers, the caching headers
 * and the request id.
 */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The JSON text, or null for a response without a body. For HEAD, the gateway omits the body and sends only
   * its length.
   */
  readonly body: string | Uint8Array | null;
  /**
   * Returns the ETag from the digest of the body. The function is set if the ETag depends on a large body.
   * The gateway then computes the digest in slices.
   */
  readonly tagWith?: (digested: string) => string;
}
