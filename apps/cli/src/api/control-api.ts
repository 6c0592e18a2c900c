import { Readable } from 'node:stream';
import { CliError, EXIT, stopped } from '../cli-error.js';
import type { CliEnvironment } from '../cli-environment.js';
import { toCliError } from './to-cli-error.js';

/** A client of the control API with one token. Every failure is a `CliError` with a next step. */
export class ControlApi {
  constructor(
    private readonly environment: Pick<CliEnvironment, 'fetch' | 'stopped'>,
    readonly url: string,
    readonly token: string | null,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.call<T>('GET', path);
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.call<T>('POST', path, body);
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return this.call<T>('PUT', path, body);
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.call<T>('PATCH', path, body);
  }

  delete(path: string, body?: unknown): Promise<void> {
    return this.call('DELETE', path, body);
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const res = await this.send(method, path, body);
    const text = await this.#whole(res.text());
    if (!res.ok) throw toCliError(res.status, text, this.url);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Returns the response before its body has been read, for streams and archives. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return this.#fetch(path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Streams a file of any size to the server. */
  async upload<T>(path: string, file: Readable, type: string): Promise<T> {
    const res = await this.#fetch(path, {
      method: 'POST',
      headers: { 'content-type': type },
      body: Readable.toWeb(file) as NonNullable<RequestInit['body']>,
      duplex: 'half',
    });
    const text = await this.#whole(res.text());
    if (!res.ok) throw toCliError(res.status, text, this.url);
    return JSON.parse(text) as T;
  }

  /** Returns the bytes of a download after its status has been checked. An interrupted response throws. */
  async download(path: string): Promise<AsyncIterable<Uint8Array>> {
    const res = await this.send('GET', path);
    if (!res.ok || res.body === null) throw toCliError(res.status, await this.#whole(res.text()), this.url);
    return this.#untilItBreaks(res.body, (err) => this.#toFailure(err));
  }

  async #fetch(
    path: string,
    {
      headers,
      ...init
    }: Omit<RequestInit, 'headers'> & {
      readonly headers: Readonly<Record<string, string>>;
      readonly duplex?: 'half';
    },
  ): Promise<Response> {
    return this.#whole(
      this.environment.fetch(`${this.url}${path}`, {
        ...init,
        signal: this.environment.stopped,
        headers: { ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }), ...headers },
      }),
    );
  }

  async #whole<T>(coming: Promise<T>): Promise<T> {
    try {
      return await coming;
    } catch (err) {
      throw this.#toFailure(err);
    }
  }

  /** Converts a missing or interrupted response to an error. */
  #toFailure(err: unknown): CliError {
    return this.environment.stopped.aborted ? stopped() : unreachable(this.url, err);
  }

  /** Yields the events of a stream. An interrupted stream ends without an error. */
  async *events(path: string): AsyncGenerator<{ readonly event: string; readonly data: unknown }, void> {
    const res = await this.send('GET', path, undefined, { accept: 'text/event-stream' });
    if (!res.ok || res.body === null) throw toCliError(res.status, await this.#whole(res.text()), this.url);
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of this.#untilItBreaks(res.body, () => null)) {
      rest += decoder.decode(chunk, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = /^event: (.*)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) as unknown };
      }
    }
  }

  /** @param toFault Returns the error for an interruption. Null ends the stream without an error. */
  async *#untilItBreaks(
    body: AsyncIterable<Uint8Array>,
    toFault: (err: unknown) => CliError | null,
  ): AsyncGenerator<Uint8Array, void> {
    try {
      yield* body;
    } catch (err) {
      const fault = this.environment.stopped.aborted ? stopped() : toFault(err);
      if (fault !== null) throw fault;
    }
  }
}

function unreachable(url: string, err: unknown): CliError {
  const cause = err instanceof Error && err.cause instanceof Error ? err.cause : err;
  const reason =
    cause instanceof Error ? ((cause as { code?: string }).code ?? cause.message) : String(cause);
  return new CliError(`Couldn't reach ${url} (${reason}).`, {
    exitCode: EXIT.unreachable,
    next: 'check that the server is running and reachable, or set another address with --url',
    body: { code: 'cli.unreachable' },
  });
}
