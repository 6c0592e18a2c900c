/** What the gateway sends; CORS, caching and request id are its own to add. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null: no body. For HEAD the gateway leaves it out and keeps its length. */
  readonly body: string | Uint8Array | null;
  /** Of a large body that its tag is taken from: gives the tag, once the body has been digested in slices. */
  readonly tagWith?: (digested: string) => string;
}
