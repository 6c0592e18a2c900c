/** Of one answer's body: a model that never stops talking must not fill the memory. */
export const ANSWER_BYTES_MAX = 1_048_576;

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` for the client library: bodies end in an error beyond the bound, and nobody is followed to another address,
 * where the key would go along.
 *
 * @param fetchOne what sends the request
 */
export function createBoundedFetch(fetchOne: Fetch = fetch): Fetch {
  return async (input, init) => {
    const res = await fetchOne(input, { ...init, redirect: 'error' });
    if (res.body === null) return res;
    let bytes = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > ANSWER_BYTES_MAX) controller.error(new AnswerTooLarge());
        else controller.enqueue(chunk);
      },
    });
    return new Response(res.body.pipeThrough(bound), { status: res.status, statusText: res.statusText, headers: res.headers });
  };
}

export class AnswerTooLarge extends Error {
  constructor() {
    super('the answer is too large');
    this.name = 'AnswerTooLarge';
  }
}
