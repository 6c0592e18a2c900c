import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** A response that the test reads at its own pace. */
export interface StreamResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Reads until this many bytes have arrived, then pauses. */
  take(bytes: number): Promise<string>;
  /** Reads the rest. `isComplete` is true when the response ended properly. */
  rest(): Promise<{ readonly text: string; readonly isComplete: boolean }>;
  /** Disconnects. */
  hangUp(): void;
}

/** Opens a response with Node's own client. Unread bytes stay in the socket, while fetch would read ahead. */
export async function openReply(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<StreamResponse> {
  const call: ClientRequest = request(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    agent: false,
  });
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve).once('error', reject);
    call.end(body);
  });
  reply.pause();
  call.on('error', () => undefined);
  let hasFailed = false;
  reply.on('error', () => (hasFailed = true));
  const read = (bytes: number): Promise<string> =>
    new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = (): void => {
        reply.off('data', onData).off('close', finish).pause();
        resolve(Buffer.concat(chunks).toString('utf8'));
      };
      const onData = (chunk: Buffer): void => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= bytes) finish();
      };
      if (reply.closed) return finish();
      reply.on('data', onData).once('close', finish);
      reply.resume();
      return undefined;
    });
  return {
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    take: read,
    async rest() {
      const text = await read(Number.POSITIVE_INFINITY);
      return { text, isComplete: reply.complete && !hasFailed };
    },
    hangUp: () => call.destroy(),
  };
}
