import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cacheDocument } from '../documents/cached-document.js';
import { toHeaderText } from './error-response.js';
import type { GatewayResponse } from './gateway-request.js';
import { chooseEncoding, sendResponse } from './send-response.js';

describe('chooseEncoding', () => {
  it.each([
    [undefined, null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', null],
    ['GZIP', 'gzip'],
  ])('the header %s selects the encoding %s', (accepted, expected) =>
    expect(chooseEncoding(accepted)).toBe(expected),
  );
});

describe('sendResponse', () => {
  const response: GatewayResponse = { status: 200, headers: {}, body: 'x'.repeat(2_000) };
  const faults: unknown[] = [];
  const send = (more: Partial<GatewayResponse>, isHead = false) => {
    const options = { requestId: 'r', serverTiming: '', isHead, isRead: true, request: {} };
    const res = new ServerResponse(new IncomingMessage(new Socket()));
    const request = more.pack === undefined ? {} : { 'accept-encoding': 'gzip' };
    const sent = (): number | Promise<number> =>
      sendResponse(res, { ...response, ...more }, { ...options, request }, (error) => faults.push(error));
    return { res, sent };
  };

  it('the body of a HEAD request counts no bytes', () => {
    expect(send({}).sent()).toBe(2_000);
    expect(send({}, true).sent()).toBe(0);
  });

  it('an invalid response header closes the connection and throws internal.defect', () => {
    const { res, sent } = send({ headers: { 'X-Text': 'a\nb' } });
    expect(sent).toThrow(expect.objectContaining({ code: 'internal.defect' }));
    expect(res.destroyed).toBe(true);
  });

  it('a body that cannot be compressed is reported and sent without compression', async () => {
    const { res, sent } = send({ pack: () => Promise.reject(new Error('no memory')) });
    expect(await sent()).toBe(2_000);
    expect([res.getHeader('content-encoding'), faults.map(String)]).toEqual([
      undefined,
      ['Error: no memory'],
    ]);
  });
});

describe('toHeaderText', () => {
  it('toHeaderText returns printable ASCII unchanged and percent-encodes any other text', () => {
    expect(toHeaderText('SELECT 1')).toBe('SELECT 1');
    expect(decodeURI(toHeaderText("SELECT 'ä%\u0007'"))).toBe("SELECT 'ä%\u0007'");
  });
});

describe('cacheDocument', () => {
  it('a cached document is compressed once for each encoding', async () => {
    const text = 'döcument '.repeat(1_000);
    const { bytes, pack } = await cacheDocument([text.slice(0, 100), text.slice(100)], () =>
      Promise.resolve(),
    );
    const [first, again, other] = await Promise.all([pack('gzip'), pack('gzip'), pack('br')]);
    expect([bytes.toString(), gunzipSync(first).toString(), again === first, other.length < 1_000]).toEqual([
      text,
      text,
      true,
      true,
    ]);
  });
});
