import { request, type IncomingMessage } from 'node:http';
import type { TestResponse } from './http-call.js';

/** A request body that is sent in pieces. */
export interface Upload {
  /** Resolves when the piece was written, as far as the receiver accepts it. */
  send(chunk: string | Uint8Array): Promise<void>;
  /** Sends the last chunk and returns the response. */
  finish(): Promise<TestResponse>;
  /** Returns the response, even when it arrives before the end of the body. */
  reply(): Promise<TestResponse>;
  hangUp(): void;
}

export function openUpload(url: string, path: string, headers: Readonly<Record<string, string>>): Upload {
  const call = request(url + path, {
    method: 'POST',
    headers: { ...headers, 'transfer-encoding': 'chunked' },
    agent: false,
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) =>
    call.once('response', resolve).once('error', reject),
  );
  answer.catch(() => undefined);
  const read = async (): Promise<TestResponse> => {
    const res = await answer;
    const chunks: Buffer[] = [];
    for await (const chunk of res) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const isJson = /[/+]json\b/.test(String(res.headers['content-type']));
    return {
      status: res.statusCode ?? 0,
      headers: new Headers(res.headers as Record<string, string>),
      text,
      json: isJson ? JSON.parse(text) : null,
    };
  };
  call.flushHeaders();
  return {
    send: (chunk) =>
      new Promise((resolve) => void (call.write(chunk) ? resolve() : call.once('drain', resolve))),
    async finish() {
      call.end();
      return read();
    },
    reply: read,
    hangUp: () => call.destroy(),
  };
}
