import type { NestFastifyApplication } from '@nestjs/platform-fastify';

// Parsed JSON whose members can be read without checks. A missing member fails the expectation.
type Json = Readonly<Record<string, ReturnType<typeof JSON.parse>>>;

export interface TestResponse {
  readonly status: number;
  readonly json: Json;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly setCookie: string | undefined;
}

/**
 * Calls the control plane within the process. The client holds the session's cookie and CSRF token as a
 * browser does.
 */
export class TestClient {
  cookie: string | undefined;
  csrf: string | undefined;

  constructor(
    private readonly app: NestFastifyApplication,
    readonly address = '127.0.0.1',
  ) {}

  get = (path: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
    this.send('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
    this.send('POST', path, body, headers);
  put = (path: string, body?: unknown): Promise<TestResponse> => this.send('PUT', path, body);
  patch = (path: string, body?: unknown): Promise<TestResponse> => this.send('PATCH', path, body);
  delete = (path: string, body?: unknown): Promise<TestResponse> => this.send('DELETE', path, body);

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const res = await this.app.inject({
      method,
      url: path,
      remoteAddress: this.address,
      headers: {
        ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
        ...(this.csrf === undefined ? {} : { 'x-csrf-token': this.csrf }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const setCookie = res.headers['set-cookie'];
    const line = Array.isArray(setCookie) ? setCookie[0] : setCookie;
    if (line !== undefined) this.cookie = line.split(';')[0];
    const json = res.body.startsWith('{') ? (JSON.parse(res.body) as Json) : {};
    if (typeof json['csrf_token'] === 'string' && json['csrf_token'] !== '') this.csrf = json['csrf_token'];
    return { status: res.statusCode, json, headers: res.headers, setCookie: line };
  }

  /** Creates an account with the blog starter. */
  async signUp(email: string, more: Record<string, unknown> = {}): Promise<TestResponse> {
    return this.post('/api/auth/signup', { email, password: 'correct horse battery', ...more });
  }
}

/** Returns the ids of the databases that a sign-up created: development and production. */
export function readDatabaseIds(signup: TestResponse): [development: string, production: string] {
  const databases = signup.json['databases'] as readonly { environment: string; id: string }[];
  const find = (environment: string): string =>
    databases.find((database) => database.environment === environment)?.id ?? '';
  return [find('development'), find('production')];
}
