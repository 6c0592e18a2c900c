/** The maximum size of one response body. It protects the memory from a model that never stops writing. */
export const ANSWER_BYTES_MAX = 1_048_576;

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Creates a `fetch` for the client library. A body beyond the limit ends with an error. Redirects are not
 * followed, because they would send the API key to another address.
 *
 * @param fetchOne sends the request
 */
export function createBoundedFetch(fetchOne: Fetch = fetch): Fetch {
  return async (input, init) => {
    const res = await fetchOne(input, { ...init, redirect: 'error' });
    if (res.body === null) return res;
    let bytes = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > ANSWER_BYTES_MAX) controller.error(new ResponseTooLargeError());
        else controller.enqueue(chunk);
      },
    });
    return new Response(res.body.pipeThrough(bound), {
      status: res.status,
      statusText: res.statusText,
      headers: res.headers,
    });
  };
}

export class ResponseTooLargeError extends Error {
  constructor() {
    super('the answer is too large');
    this.name = 'AnswerTooLarge';
  }
}
