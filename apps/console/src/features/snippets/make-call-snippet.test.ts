import { describe, expect, it } from 'vitest';
import { makeCallSnippet } from './make-call-snippet.js';

const BASE = 'http://127.0.0.1:7001';

describe('makeCallSnippet', () => {
  it('reads the key from the environment until there is one', () => {
    expect(makeCallSnippet('curl', BASE, { method: 'GET', path: '/posts?limit=3' }, null)).toBe(
      'curl "http://127.0.0.1:7001/v1/-/posts?limit=3" \\\n  -H "Authorization: Bearer $ROWHOUSE_KEY"',
    );
    expect(makeCallSnippet('python', BASE, { method: 'GET', path: '/posts' }, null)).toContain('os.environ["ROWHOUSE_KEY"]');
    expect(makeCallSnippet('javascript', BASE, { method: 'GET', path: '/posts' }, null)).toContain('process.env.ROWHOUSE_KEY');
  });

  it('quotes a body for the shell', () => {
    const curl = makeCallSnippet('curl', BASE, { method: 'POST', path: '/users', body: { name: "O'Hara" } }, 'rh_dev_1');
    expect(curl).toContain('curl -X POST');
    expect(curl).toContain(`-d '{"name":"O'\\''Hara"}'`);
    expect(curl).toContain('Bearer rh_dev_1');
  });

  it('writes Python literals', () => {
    const python = makeCallSnippet('python', BASE, { method: 'PUT', path: '/posts/1', body: { published: true, bio: null } }, 'k');
    expect(python).toContain('requests.put(');
    expect(python).toContain('json={"published": True, "bio": None}');
    expect(python).not.toContain('import os');
  });

  it('does not double the prefix', () => {
    expect(makeCallSnippet('curl', `${BASE}/v1/-/`, { method: 'GET', path: '/posts' }, null)).toContain('"http://127.0.0.1:7001/v1/-/posts"');
  });
});
