import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPublicFetch, PrivateAddressError } from './create-public-fetch.js';
import { isPublicAddress, findAddressFault } from './model-address.js';

let server: Server;
let port = 0;
let received: string[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    let body = '';
    req.on('data', (part: Buffer) => (body += part.toString()));
    req.on('end', () => {
      received.push(`${req.method ?? ''} ${req.url ?? ''} ${req.headers.authorization ?? ''} ${body}`);
      if (req.url === '/away') res.writeHead(302, { Location: '/' }).end();
      else
        res
          .writeHead(req.url === '/fault' ? 429 : 200, {
            'Content-Type': 'application/json',
            'Retry-After': '7',
          })
          .end('{"a":1}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ({ port } = server.address() as AddressInfo);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111'])(
    'isPublicAddress accepts the address %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
    'localhost',
    '',
  ])('isPublicAddress rejects the address %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

const PUBLIC = { allowsPrivate: false, ports: [443] };
const PRIVATE = { ...PUBLIC, allowsPrivate: true };

describe('findAddressFault', () => {
  it.each(['https://api.example.com/v1', 'https://api.example.com:443', 'https://8.8.8.8/v1'])(
    'findAddressFault accepts the address %s',
    (url) => expect(findAddressFault(url, PUBLIC)).toBeNull(),
  );
  it.each([
    'http://api.example.com/v1',
    'https://api.example.com:25/v1',
    'https://api.example.com:8443/v1',
    'https://127.0.0.1/v1',
    'https://2130706433/v1',
    'https://0x7f.1/v1',
    'https://[::1]/v1',
    'https://[::ffff:10.0.0.1]/v1',
    'https://localhost/v1',
    'https://LOCALHOST./v1',
    'https://db.internal/v1',
    'https://model/v1',
    'https://169.254.169.254/latest',
    'https://user:pass@api.example.com/v1',
    'https://api.example.com/v1?x=1',
    'https://api.example.com/v1#x',
    'ftp://api.example.com',
    'file:///etc/passwd',
    'api.example.com',
    '',
  ])('findAddressFault rejects the address %s', (url) =>
    expect(findAddressFault(url, PUBLIC)).toEqual(expect.any(String)),
  );
  it('findAddressFault accepts only the ports that the operator allows', () => {
    const fault = (url: string): string | null => findAddressFault(url, { ...PUBLIC, ports: [443, 8443] });
    expect(fault('https://models.example.com:8443/v1')).toBeNull();
    expect(fault('https://models.example.com:25/v1')).toBe(
      'The address must use the port 443 or 8443, not 25.',
    );
  });
  it('findAddressFault accepts a private address only if the operator allows it', () => {
    expect(findAddressFault('http://127.0.0.1:11434/v1', PRIVATE)).toBeNull();
    expect(findAddressFault('http://user@127.0.0.1/v1', PRIVATE)).toEqual(expect.any(String));
    expect(findAddressFault('file:///etc/passwd', PRIVATE)).toEqual(expect.any(String));
  });
});

describe('createPublicFetch', () => {
  const url = (host: string, path = '/v1'): string => `http://${host}:${port}${path}`;

  it.each(['127.0.0.1', 'localhost', '2130706433', '127.1', '[::ffff:127.0.0.1]'])(
    'createPublicFetch opens no connection to the private address %s',
    async (host) => {
      received = [];
      await expect(createPublicFetch()(url(host), { method: 'POST', body: '{}' })).rejects.toBeInstanceOf(
        PrivateAddressError,
      );
      expect(received).toEqual([]);
    },
  );

  it('createPublicFetch sends and returns the same as the built-in fetch', async () => {
    received = [];
    const fetchAny = createPublicFetch(() => true);
    for (const host of ['127.0.0.1', 'localhost']) {
      const res = await fetchAny(url(host, '/v1/chat'), {
        method: 'POST',
        headers: { Authorization: 'Bearer k' },
        body: '{"q":"ü"}',
      });
      expect([res.status, await res.json()]).toEqual([200, { a: 1 }]);
    }
    expect(received).toEqual(['POST /v1/chat Bearer k {"q":"ü"}', 'POST /v1/chat Bearer k {"q":"ü"}']);
    const fault = await fetchAny(url('127.0.0.1', '/fault'));
    expect([fault.status, fault.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it('createPublicFetch follows no redirect and can be aborted', async () => {
    const fetchAny = createPublicFetch(() => true);
    await expect(fetchAny(url('127.0.0.1', '/away'))).rejects.toThrow('redirect');
    await expect(fetchAny(url('127.0.0.1'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
