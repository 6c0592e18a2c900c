import { connect } from 'node:net';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type CallOptions, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const PLAIN_PAGE = { title: null, intro: null, accent_color: null, logo: null };

describe('common response headers, and invalid requests', () => {
  const servers = getTestServers();
  let cell: TestCell;
  let gateway: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    cell = await createTestCell(servers.mysql, servers.redisUrl);
    tenant = await cell.addTenant();
    gateway = await cell.startGateway();
  });

  afterAll(() => cell.stop());

  const call = (method: string, path: string, options?: CallOptions): Promise<TestResponse> =>
    callGateway(gateway.url, method, path, options);

  /** Sends raw bytes and reads until the server closes the connection. */
  function sendRaw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(text));
      socket.setTimeout(5_000, () => reject(new Error(`no answer to ${JSON.stringify(text.slice(0, 40))}`)));
      socket.on('data', (bytes) => {
        answer += bytes.toString('latin1');
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });
  }

  it('a CORS preflight gets a response without an API key', async () => {
    const response = await call('OPTIONS', '/v1/-/posts', {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(response.headers.get('access-control-allow-headers')).toContain('X-Gibson-API-Key');
    expect(response.headers.get('access-control-max-age')).toBe('7200');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('a CORS preflight may request any header, except text that could end the header', async () => {
    const sendRequest = async (names: string): Promise<string | null> =>
      (
        await call('OPTIONS', '/v1/-/posts', {
          headers: {
            origin: 'https://app.example',
            'access-control-request-method': 'GET',
            'access-control-request-headers': names,
          },
        })
      ).headers.get('access-control-allow-headers');
    const names = 'authorization,baggage,cache-control,range,sentry-trace,traceparent,x-requested-with';
    expect(await sendRequest(names)).toBe(names);
    for (const odd of ['a"b', 'x:y', `x${'y'.repeat(5_000)}`])
      expect(await sendRequest(odd)).toContain('X-Gibson-API-Key');
  });

  it('a CORS preflight of an unknown path succeeds, so that the page can read the error', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    expect((await call('OPTIONS', '/v1/-/posts/%E4', { headers })).status).toBe(204);
    expect(await call('GET', '/v1/-/posts/%E4', { headers })).toMatchObject({
      status: 400,
      json: { code: 'request.bad_escape' },
    });
  });

  it('an error response has CORS headers and Cache-Control: no-store', async () => {
    const response = await call('GET', '/v1/-/posts', {
      headers: { origin: 'https://app.example', 'x-request-id': 'abc-1' },
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Has-More');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('vary')).toContain('X-Gibson-API-Key');
    expect(response.headers.get('x-request-id')).toBe('abc-1');
    expect(response.json).toMatchObject({ code: 'auth.missing_key', request_id: 'abc-1' });
  });

  it('an error is application/problem+json if Accept asks for it', async () => {
    const response = await call('GET', '/nowhere', { headers: { accept: 'application/problem+json' } });
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.json).toMatchObject({ type: 'urn:rowhouse:error:request.not_found', status: 404 });
  });

  it('the API key is read from the first header that has one', async () => {
    const good = { key: tenant.key };
    expect((await call('GET', '/v1/-/', good)).status).toBe(200);
    expect((await call('GET', '/v1/-/', { headers: { 'x-api-key': tenant.key } })).status).toBe(200);
    expect((await call('GET', '/v1/-/', { headers: { 'x-gibson-api-key': tenant.key } })).status).toBe(200);
    expect((await call('GET', '/v1/-/', { ...good, headers: { 'x-gibson-api-key': 'bad' } })).status).toBe(
      401,
    );
    expect((await call('GET', `/v1/-/?api_key=${tenant.key}`)).status).toBe(401);
  });

  it.each([
    ['Basic', (key: string) => `Basic ${btoa(`${key}:`)}`, /^Basic authentication is not supported.*Bearer/],
    ['a key without Bearer', (key: string) => key, /^The word Bearer is missing/],
    ['another scheme', (key: string) => `Token ${key}`, /^Send the key as "Authorization: Bearer/],
  ])('the error for an Authorization header with %s explains the form', async (_case, write, hint) => {
    for (const path of ['/v1/-/users', '/v1/-/query', '/mcp']) {
      const response = await call(path === '/v1/-/users' ? 'GET' : 'POST', path, {
        headers: { authorization: write(tenant.key) },
      });
      expect([path, response.status, response.json.hint ?? response.json.error?.data?.hint]).toEqual([
        path,
        401,
        expect.stringMatching(hint),
      ]);
    }
  });

  it('GET of the data API index lists the tables with their addresses', async () => {
    const response = await call('GET', '/v1/-/', { key: tenant.key });
    expect(response.json.tables.map((table: { href: string }) => table.href)).toEqual([
      '/v1/-/comments',
      '/v1/-/post-tags',
      '/v1/-/posts',
      '/v1/-/tags',
      '/v1/-/users',
    ]);
  });

  it('GET of the schema returns JSON or SQL, and 304 while the schema is unchanged', async () => {
    const response = await call('GET', '/v1/-/schema', { key: tenant.key });
    expect(response.json).toMatchObject({ project: 'Test project', database: 'development', version: 1 });
    const tag = String(response.headers.get('etag'));
    expect(
      (await call('GET', '/v1/-/schema', { key: tenant.key, headers: { 'if-none-match': tag } })).status,
    ).toBe(304);
    const sql = await call('GET', '/v1/-/schema?format=sql', { key: tenant.key });
    expect(sql.headers.get('content-type')).toContain('text/plain');
    expect(sql.text).toContain('CREATE TABLE');
    expect((await call('GET', '/v1/-/schema?form=sql', { key: tenant.key })).status).toBe(422);
  });

  it('HEAD gets the response of GET without the body', async () => {
    const response = await call('HEAD', '/v1/-/schema', { key: tenant.key });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1_000);
    expect(response.text).toBe('');
  });

  it('the gateway compresses only responses that are large enough', async () => {
    for (const encoding of ['gzip', 'br']) {
      const response = await call('GET', '/v1/-/schema', {
        key: tenant.key,
        headers: { 'accept-encoding': encoding },
      });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.json.version).toBe(1);
    }
    expect(
      (await call('GET', '/v1/-/health', { headers: { 'accept-encoding': 'gzip' } })).headers.get(
        'content-encoding',
      ),
    ).toBeNull();
  });

  it('the API docs are found only by their slug', async () => {
    expect((await call('GET', `/v1/-/openapi/${tenant.docsSlug}`)).json).toHaveProperty('openapi');
    expect((await call('GET', `/openapi/${tenant.docsSlug}`)).status).toBe(200);
    expect((await call('GET', `/v1/-/docs/${tenant.docsSlug}`)).headers.get('content-type')).toContain(
      'text/html',
    );
    expect((await call('GET', '/v1/-/openapi/aaaaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404);
    expect((await call('GET', '/v1/-/openapi.json')).status).toBe(401);
    expect((await call('GET', '/v1/-/openapi.json', { key: tenant.key })).json).toHaveProperty('openapi');
  });

  it('the Markdown pages and the client of the docs describe only the database of the slug', async () => {
    const other = await cell.addTenant({
      ddl: [
        'CREATE TABLE `secret plans` (id int AUTO_INCREMENT PRIMARY KEY, code_name varchar(20), hidden int)',
      ],
      settings: {
        hidden_columns: { 'secret plans': ['hidden'] },
        docs_page: { ...PLAIN_PAGE, title: 'Plans' },
      },
    });
    const names = ['reference.json', 'llms.txt', 'index.md', 'tables/secret%20plans.md', 'client/types.ts'];
    const read = (slug: string, name: string): Promise<TestResponse> =>
      call('GET', `/v1/-/docs/${slug}/${name}`);
    for (const name of names) {
      const response = await read(other.docsSlug, name);
      expect([name, response.status, response.headers.get('x-robots-tag')]).toEqual([
        name,
        200,
        'noindex, nofollow',
      ]);
      expect([name, response.text.includes('hidden')]).toEqual([name, false]);
      const tag = { 'if-none-match': response.headers.get('etag') ?? '' };
      const path = `/v1/-/docs/${other.docsSlug}/${name}`;
      expect((await call('GET', path, { headers: tag })).status).toBe(304);
    }
    expect((await read(other.docsSlug, 'tables/secret%20plans.md')).text).toContain('`code_name`');
    expect((await read(other.docsSlug, 'llms.txt')).text).toMatch(/^# Plans$/m);
    for (const name of names.slice(0, 3))
      expect((await read(tenant.docsSlug, name)).text).not.toContain('secret plans');
    // The key of one tenant does not open the docs of another one, and no key is needed for one's own.
    for (const name of ['tables/secret%20plans.md', 'logo', 'other.txt', 'client/index.ts'])
      expect([name, (await read(tenant.docsSlug, name)).status]).toEqual([name, 404]);
    for (const name of ['', '/swagger', ...names.map((item) => `/${item}`)]) {
      const path = `/v1/-/docs/${'a'.repeat(24)}${name}`;
      expect([name, (await call('GET', path, { key: tenant.key })).status]).toEqual([name, 404]);
    }
  });

  it('the docs page has the appearance of its settings, and an error page for browsers', async () => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==';
    const page = {
      title: 'Plans <b>',
      intro: 'For partners.',
      accent_color: '#aa3300',
      logo: `data:image/png;base64,${pixel}`,
    };
    const branded = await cell.addTenant({ settings: { docs_page: page } });
    const path = `/v1/-/docs/${branded.docsSlug}`;
    const { text } = await call('GET', path);
    expect(text).toContain('data-title="Plans &lt;b&gt;" data-intro="For partners." data-accent="#aa3300"');
    const logo = await call('GET', `${path}/logo`);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
    for (const address of [`${path}/swagger`, `${path}?view=swagger`])
      expect((await call('GET', address)).text).toContain('swagger-ui-bundle.js');
    const headers = { accept: 'text/html,*/*' };
    const missing = await call('GET', `/v1/-/docs/${'a'.repeat(24)}`, { headers });
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('No docs at this address')]);
    expect((await call('GET', '/robots.txt')).text).toContain('Disallow: /\n');
  });

  it('a method that an endpoint does not support gets 405 with Allow', async () => {
    for (const [method, path, allowed] of [
      ['GET', '/v1/-/_batch', 'POST, OPTIONS'],
      ['PUT', '/v1/-/query', 'GET, HEAD, POST, OPTIONS'],
    ] as const) {
      const response = await call(method, path, { key: tenant.key });
      expect([response.status, response.headers.get('allow')], path).toEqual([405, allowed]);
    }
    expect((await call('PROPFIND', '/v1/-/schema', { key: tenant.key })).status).toBe(405);
  });

  it('a request with a URL, header or body that is too large gets the matching status', async () => {
    expect(
      (await call('GET', `/v1/-/posts?title=${'x'.repeat(17_000)}`, { key: tenant.key })).json,
    ).toMatchObject({ code: 'request.url_too_long' });
    const large = await call('POST', '/v1/-/posts', {
      key: tenant.key,
      body: `{"title":"${'x'.repeat(8_400_000)}"}`,
    });
    expect(large.json).toMatchObject({ code: 'request.body_too_large' });
    expect(
      await sendRaw(`GET /v1/-/posts HTTP/1.1\r\nHost: x\r\nX-Long: ${'y'.repeat(60_000)}\r\n\r\n`),
    ).toMatch(/^HTTP\/1.1 431 .*"request.headers_too_large"/s);
  });

  it('the gateway sends an API response to every form of the request target', async () => {
    const send = (line: string): Promise<string> =>
      sendRaw(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await send('OPTIONS *')).toMatch(/^HTTP\/1.1 204 .*access-control-allow-methods.*x-request-id/is);
    expect(await send('GET *')).toMatch(/^HTTP\/1.1 404 .*"code":"request.not_found","request_id"/s);
    expect(await send('GET http://api.example.org/v1/-/health')).toMatch(/^HTTP\/1.1 200 .*"status":"ok"/s);
    expect(await send('GET https://api.example.org')).toMatch(/^HTTP\/1.1 404 .*"code":"request.not_found"/s);
    expect(await send('TRACE /')).toMatch(/^HTTP\/1.1 4\d\d .*"code":"request\./s);
    expect(await send('GET file:///v1/-/health')).toMatch(/^HTTP\/1.1 404 .*"code":"request.not_found"/s);
    expect(await send('GET ?x')).toMatch(/^HTTP\/1.1 400 .*"code":"request\./s);
  });

  it('a request error that Node.js detects gets an API response', async () => {
    expect(await sendRaw('GET /v1/-/health HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 .*x-request-id.*"code":"request.malformed"/is,
    );
    expect(
      await sendRaw('GET /v1/-/health HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 200 .*"status":"ok"/s);
  });

  it('a request with two Host headers is rejected', async () => {
    for (const hosts of ['Host: x\r\nHost: y', 'Host: x\r\nhost: x']) {
      expect(
        await sendRaw(`GET /v1/-/health HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`),
        hosts,
      ).toMatch(/^HTTP\/1.1 400 .*"code":"request.malformed"/s);
    }
  });

  it.each([
    [
      'two Authorization headers',
      (key: string) => `Authorization: Bearer ${key}\r\nauthorization: Bearer ${key}`,
    ],
    ['two credentials joined by a comma', (key: string) => `Authorization: Bearer ${key}, Bearer ${key}`],
    ['two X-API-Key headers', (key: string) => `X-API-Key: ${key}\r\nX-API-KEY: ${key}`],
  ])('a request with %s is rejected by the data API and by MCP', async (_case, headersOf) => {
    for (const line of ['GET /v1/-/users', 'POST /mcp']) {
      expect(
        await sendRaw(`${line} HTTP/1.1\r\nHost: x\r\n${headersOf(tenant.key)}\r\nConnection: close\r\n\r\n`),
        line,
      ).toMatch(/^HTTP\/1.1 400 .*"code":"request.bad_header".*"hint":"Send [A-Za-z-]+ once\."/s);
    }
  });

  it.each([
    ['no key and a body that never comes', '', 'Content-Length: 900000', '"auth.missing_key"'],
    [
      'an unknown key and a chunked body that never ends',
      `Authorization: Bearer ${'x'.repeat(30)}\r\n`,
      'Transfer-Encoding: chunked',
      '"auth.invalid_key"',
    ],
    [
      'no key and a client that waits to be asked for its body',
      '',
      'Content-Length: 10\r\nExpect: 100-continue',
      '"auth.missing_key"',
    ],
  ])(
    'a request with %s is rejected before its body is read, and its connection is closed',
    async (_case, credential, headers, code) => {
      for (const path of ['/v1/-/users', '/v1/-/query', '/v1/-/_batch', '/mcp']) {
        const answer = await sendRaw(
          `POST ${path} HTTP/1.1\r\nHost: x\r\n${credential}Content-Type: application/json\r\n${headers}\r\n\r\n`,
        );
        expect(answer.startsWith('HTTP/1.1 401 ') && answer.includes(code), `${path}: ${answer}`).toBe(true);
      }
    },
  );

  it('a client with a key that expects 100-continue gets it once', async () => {
    const body = '{"query":"SELECT 1 AS a","mode":"sql"}';
    const answer = await sendRaw(
      `POST /v1/-/query HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n.*\[\{"a":1\}\]/s);
  });

  it('a connection survives rejected requests whose small bodies were sent completely', async () => {
    const request =
      'POST /v1/-/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n';
    const answer = await sendRaw(`${request}\r\n{}${request}Connection: close\r\n\r\n{}`);
    expect(answer.match(/HTTP\/1.1 401 /g)).toHaveLength(2);
  });

  it('bytes that are not HTTP get a valid 400 response', async () => {
    for (const bytes of [
      'GARBAGE\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /v1/-/posts HTTP/1.1\r\nBad Header: 1\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
    ]) {
      expect(await sendRaw(bytes)).toMatch(/^HTTP\/1.1 400 .*"request.malformed"/s);
    }
    expect(await sendRaw('GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 4\d\d .*"code":"request\./s,
    );
  });

  it('request bodies that are not JSON are rejected', async () => {
    const send = (body: string, headers: Record<string, string>): Promise<TestResponse> =>
      call('POST', '/v1/-/query', { key: tenant.key, body, headers });
    expect(
      (await send('query=1', { 'content-type': 'application/x-www-form-urlencoded' })).json,
    ).toMatchObject({ code: 'request.unsupported_type', hint: expect.stringContaining('curl') });
    const untyped = '{"query":"SELECT 1"}';
    const unqualified = await sendRaw(
      `POST /v1/-/query HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Length: ${untyped.length}\r\nConnection: close\r\n\r\n${untyped}`,
    );
    expect(unqualified).toMatch(/^HTTP\/1.1 415 .*"request.unsupported_type".*application\/json/s);
    expect((await send('{"query":', {})).json).toMatchObject({ code: 'request.malformed_json' });
    expect((await send('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await send('{"query":"SELECT 1","colour":1}', {})).json).toMatchObject({
      detail: [{ loc: ['body', 'colour'] }],
    });
  });
});
