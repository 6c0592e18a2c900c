import { lookup as resolveName } from 'node:dns';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isPublicAddress } from './model-address.js';

/**
 * The maximum size of one response body in bytes. It protects the memory of the process from a model that
 * does not stop writing.
 */
const RESPONSE_BYTES_MAX = 1_048_576;

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export class ResponseTooLargeError extends Error {
  constructor() {
    super('the response is too large');
    this.name = 'ResponseTooLargeError';
  }
}

/** Thrown if a host name resolves to an address that is not public. */
export class PrivateAddressError extends Error {
  constructor() {
    super('the address is not public');
    this.name = 'PrivateAddressError';
  }
}

const SOCKETS_MAX = 64;
/** The statuses of responses that have no body. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205]);

/**
 * Creates a `fetch` that connects only to public addresses. The check is part of the name resolution for the
 * connection itself, so the address cannot change after the check. Redirects are not followed.
 *
 * @param isAllowed reports whether connections to an IP address are allowed
 */
export function createPublicFetch(isAllowed: (address: string) => boolean = isPublicAddress): Fetch {
  const lookup = createLookup(isAllowed);
  // Only this function uses these agents, so every connection that they keep open was checked.
  const agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: SOCKETS_MAX, lookup }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: SOCKETS_MAX, lookup }),
  };

  function send(requested: Request, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const url = new URL(requested.url);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      // An IP address in the URL is not resolved, so it is checked here.
      if (isIP(host) !== 0 && !isAllowed(host)) throw new PrivateAddressError();
      const options = {
        method: requested.method,
        headers: { ...Object.fromEntries(requested.headers), 'content-length': String(body.byteLength) },
        signal: requested.signal,
      };
      const req =
        url.protocol === 'https:'
          ? requestHttps(url, { ...options, agent: agents.https })
          : requestHttp(url, { ...options, agent: agents.http });
      req.once('response', resolve);
      req.once('error', reject);
      req.end(body);
    });
  }

  return async (input, init) => {
    const requested = new Request(input, init);
    const response = await send(requested, Buffer.from(await requested.arrayBuffer()));
    const status = response.statusCode ?? 0;
    if (status >= 300 && status < 400) {
      response.destroy();
      throw new TypeError('redirects are not followed');
    }
    const content = EMPTY_STATUSES.has(status)
      ? null
      : (Readable.toWeb(response) as ConstructorParameters<typeof Response>[0]);
    return new Response(content, {
      status,
      statusText: response.statusMessage ?? '',
      headers: toHeaders(response),
    });
  };
}

function createLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) callback(error, '', 0);
      // A name is rejected if any of its addresses is private, because any of them may be used.
      else if (first === undefined || addresses.some(({ address }) => !isAllowed(address)))
        callback(new PrivateAddressError(), '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function toHeaders(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}

/**
 * Creates a `fetch` for the client library. A body that exceeds the maximum size causes an error. Redirects
 * are not followed, because the API key would be sent to another address.
 *
 * @param fetchOne sends one request
 */
export function createBoundedFetch(fetchOne: Fetch = fetch): Fetch {
  return async (input, init) => {
    const res = await fetchOne(input, { ...init, redirect: 'error' });
    if (res.body === null) return res;
    let bytes = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > RESPONSE_BYTES_MAX) controller.error(new ResponseTooLargeError());
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
