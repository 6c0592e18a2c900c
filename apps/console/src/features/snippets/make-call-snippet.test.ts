import { describe, expect, it } from 'vitest';
import { toTablePath } from '../../data/gateway/call-gateway.js';
import { makeCallSnippet } from './make-call-snippet.js';

const BASE = 'http://127.0.0.1:7001';

describe('makeCallSnippet', () => {
  it('a call snippet reads the key from the environment until one exists', () => {
    expect(makeCallSnippet('curl', BASE, { method: 'GET', path: '/posts?limit=3' }, null)).toBe(
      'curl "http://127.0.0.1:7001/v1/-/posts?limit=3" \\\n  -H "Authorization: Bearer $ROWHOUSE_KEY"',
    );
    expect(makeCallSnippet('python', BASE, { method: 'GET', path: '/posts' }, null)).toContain(
      'os.environ["ROWHOUSE_KEY"]',
    );
    expect(makeCallSnippet('javascript', BASE, { method: 'GET', path: '/posts' }, null)).toContain(
      'process.env.ROWHOUSE_KEY',
    );
  });

  it('a curl snippet quotes its body for the shell', () => {
    const curl = makeCallSnippet(
      'curl',
      BASE,
      { method: 'POST', path: '/users', body: { name: "O'Hara" } },
      'rh_dev_1',
    );
    expect(curl).toContain('curl -X POST');
    expect(curl).toContain(`-d '{"name":"O'\\''Hara"}'`);
    expect(curl).toContain('Bearer rh_dev_1');
  });

  it('a Python snippet writes the body as Python literals', () => {
    const python = makeCallSnippet(
      'python',
      BASE,
      { method: 'PUT', path: '/posts/1', body: { published: true, bio: null } },
      'k',
    );
    expect(python).toContain('requests.put(');
    expect(python).toContain('json={"published": True, "bio": None}');
    expect(python).not.toContain('import os');
  });

  it('a table name cannot inject code into a shell or a program', () => {
    const table = { path: `x"$(touch /tmp/x)\`id\`'!\\` };
    const call = { method: 'GET', path: `${toTablePath(table)}?limit=3` } as const;
    const address = `${BASE}/v1/-/x%22%24(touch%20%2Ftmp%2Fx)%60id%60'!%5C?limit=3`;
    expect(makeCallSnippet('curl', BASE, call, null)).toContain(`curl '${address.replace("'", `'\\''`)}' `);
    const raw = { method: 'GET', path: `/${table.path}` } as const;
    expect(makeCallSnippet('curl', BASE, raw, null)).toContain(
      `curl '${BASE}/v1/-/${table.path.replace("'", `'\\''`)}' `,
    );
    for (const language of ['javascript', 'python'] as const)
      expect(makeCallSnippet(language, BASE, raw, null)).toContain(
        JSON.stringify(`${BASE}/v1/-/${table.path}`),
      );
  });

  it('a call snippet can address a table whose name equals another API path', () => {
    expect(toTablePath({ path: '_tables/na me' })).toBe('/_tables/na%20me');
  });

  it('a call snippet does not repeat the prefix of the base URL', () => {
    expect(makeCallSnippet('curl', `${BASE}/v1/-/`, { method: 'GET', path: '/posts' }, null)).toContain(
      '"http://127.0.0.1:7001/v1/-/posts"',
    );
  });
});
