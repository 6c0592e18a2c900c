import { describe, expect, it } from 'vitest';
import { makeCallSample, makeClientSample } from './make-call-sample.js';

const ADDRESS = 'https://api.rowhouse.test/v1/-/posts';
const BODY = { title: `O'Hara \\ "$x"`, published: true };

describe('makeCallSample', () => {
  it('a curl sample does not expand brackets in the URL', () => {
    const filtered = { method: 'GET', address: `${ADDRESS}?filters[id__gt]=1` };
    expect(makeCallSample('curl', filtered, null)).toMatch(/^curl -g "https:/);
    expect(makeCallSample('curl', { method: 'DELETE', address: ADDRESS }, null)).toMatch(/^curl -X DELETE "/);
  });

  it('a PHP sample quotes the body so that PHP does not interpret it', () => {
    const sample = makeCallSample('php', { method: 'POST', address: ADDRESS, body: BODY }, null);
    expect(sample).toContain(`'content' => '{"title":"O\\'Hara \\\\\\\\ \\\\"$x\\\\"","published":true}',`);
    expect(sample).toContain("$key = getenv('ROWHOUSE_KEY');");
    expect(makeCallSample('php', { method: 'GET', address: ADDRESS }, 'rh_1')).toContain("$key = 'rh_1';");
  });

  it('a Go sample imports exactly the packages that it uses', () => {
    const listPackages = (sample: string): string[] =>
      [...sample.matchAll(/^\t"(?:[a-z]+\/)?([a-z]+)"$/gm)].map(([, name = '']) => name);
    for (const [body, secret] of [
      [undefined, null],
      [BODY, 'rh_1'],
    ] as const) {
      const request = { method: 'POST', address: ADDRESS, ...(body === undefined ? {} : { body }) };
      const sample = makeCallSample('go', request, secret);
      const used = ['fmt', 'io', 'log', 'http', 'os', 'strings'].filter((name) =>
        new RegExp(`\\b${name}\\.[A-Z]`).test(sample),
      );
      expect(listPackages(sample)).toEqual(used);
    }
  });

  it('a TypeScript sample creates a client and sends the call with it', () => {
    expect(makeClientSample('https://api.rowhouse.test', 'client.posts.list()')).toContain(
      'console.log(await client.posts.list());',
    );
  });
});
