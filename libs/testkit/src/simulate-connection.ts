import { once } from 'node:events';
import type { Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';

/** Opens a connection as if a listening socket had accepted it from `remoteAddress`. */
export function openConnectionFrom(server: Server, remoteAddress: string): Duplex {
  const [client, socket] = duplexPair();
  server.emit(
    'connection',
    Object.assign(socket, {
      remoteAddress,
      bytesRead: 1,
      setTimeout: () => socket,
      setNoDelay: () => socket,
      setKeepAlive: () => socket,
    }),
  );
  return client;
}

/** Sends a GET request on a connection and returns the first part of the response. */
export async function requestOn(client: Duplex, path: string): Promise<string> {
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [bytes] = (await once(client, 'data')) as [Buffer];
  return bytes.toString('latin1');
}
