import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MIGRATION_END_STATES } from '@rowhouse/contracts';
import { openAdminConnection, type AdminConnection } from '@rowhouse/mysql';
import { useDatabase, type Deployer, type Stop, type Target } from './deploy-sequences.js';
import { UNOBSERVED } from './plain-sequence.js';

/** The addresses of a running product, which a test suite has started. */
export interface ProductAddress {
  readonly controlUrl: string;
  readonly platform: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly password: string;
  };
}

interface HttpResponse {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

type Call = (method: string, path: string, body?: unknown) => Promise<HttpResponse>;

const DEADLINE_MS = 300_000;
const POLL_MS = 200;

/** Deploys through the control API, as a user's script does. Each provision creates a project. */
export async function createHttpDeployer(
  { controlUrl, platform }: ProductAddress,
  root: AdminConnection,
): Promise<Deployer & { close(): Promise<void> }> {
  const request = await signUp(controlUrl);
  const records = await openAdminConnection(platform);
  const [found] = await records.rows<{ name: string }>(
    `SELECT TABLE_SCHEMA AS name FROM information_schema.TABLES WHERE TABLE_NAME = 'tenant_database' ORDER BY 1`,
  );
  const store = found?.name ?? '';
  const projects: string[] = [];
  let production: Target | null = null;

  async function waitReady(id: string): Promise<string> {
    for (const endsAt = performance.now() + DEADLINE_MS; performance.now() < endsAt; await pause(POLL_MS)) {
      const [row] = await records.rows<{ schema_name: string; provision_state: string }>(
        `SELECT schema_name, provision_state FROM \`${store}\`.tenant_database WHERE id = ?`,
        [id],
      );
      if (row?.provision_state === 'ready') return row.schema_name;
    }
    throw new Error(`${id} is not ready`);
  }

  async function waitEnd(id: string): Promise<Stop | null> {
    for (const endsAt = performance.now() + DEADLINE_MS; performance.now() < endsAt; await pause(POLL_MS)) {
      const { json } = await request('GET', `/api/migrations/${id}`);
      if (json['state'] === 'published') return null;
      const error = json['error'] as { code?: string; detail?: string } | null;
      const isEnd = (MIGRATION_END_STATES as readonly unknown[]).includes(json['state']);
      if (isEnd)
        return { code: error?.code ?? String(json['state']), detail: error?.detail ?? '', isBegun: true };
    }
    return { code: 'model.timeout', detail: id, isBegun: true };
  }

  /** Confirms a plan that requires it. */
  async function confirm(path: string, body: Record<string, unknown>): Promise<HttpResponse> {
    const response = await request('POST', path, body);
    const plans = (response.json['plans'] ?? []) as { hash: string }[];
    if (response.status !== 409 || plans.length === 0) return response;
    return request('POST', path, { ...body, confirm: plans.map(({ hash }) => hash) });
  }

  return {
    open: (database) => useDatabase(root, database),
    begin: () => UNOBSERVED,
    async provision(environment, sibling) {
      if (environment === 'production' && sibling !== undefined && production !== null) return production;
      const { status, json } = await request('POST', '/api/projects', {
        name: `Model ${randomBytes(4).toString('hex')}`,
        starter: 'empty',
      });
      if (status >= 300) throw new Error(`no project: ${JSON.stringify(json)}`);
      const projectId = String(json['id']);
      projects.push(projectId);
      const databases = json['databases'] as { id: string; environment: string }[];
      const targets = await Promise.all(
        databases.map(async ({ id, environment: name }) => ({
          name,
          target: { id, projectId, schemaName: await waitReady(id) },
        })),
      );
      production = targets.find(({ name }) => name === 'production')?.target ?? null;
      return targets.find(({ name }) => name === environment)?.target as Target;
    },
    async deploy(targets, sql) {
      const project = `/api/projects/${targets[0]?.projectId ?? ''}`;
      const response =
        sql === ''
          ? await confirm(`${project}/promote`, { accept_loss: true })
          : await confirm(`${project}/deploy`, {
              targets: targets.map(({ id }) => ({ database: id })),
              sql,
              accept_loss: true,
            });
      if (response.status >= 300)
        return {
          code: String(response.json['code'] ?? response.status),
          detail: JSON.stringify(response.json).slice(0, 600),
          isBegun: false,
        };
      for (const { id } of (response.json['migrations'] ?? []) as { id: string }[]) {
        const stop = await waitEnd(id);
        if (stop !== null) return stop;
      }
      return null;
    },
    async release() {
      for (const id of projects.splice(0)) await request('DELETE', `/api/projects/${id}`);
    },
    close: () => records.close(),
  };
}

async function signUp(base: string): Promise<Call> {
  let cookie = '';
  let csrf = '';
  const request: Call = async (method, path, body) => {
    const headers: Record<string, string> = { 'Content-Type': 'application/json' };
    if (cookie !== '') headers['Cookie'] = cookie;
    if (csrf !== '' && method !== 'GET') headers['X-CSRF-Token'] = csrf;
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = response.headers.getSetCookie();
    if (set.length > 0) cookie = set.map((line) => line.split(';')[0]).join('; ');
    const text = await response.text();
    const json = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
    if (typeof json['csrf_token'] === 'string') csrf = json['csrf_token'];
    return { status: response.status, json };
  };
  const name = `model-${randomBytes(6).toString('hex')}`;
  const account = {
    email: `${name}@example.test`,
    password: `pass-${randomBytes(9).toString('hex')}`,
    name,
    organization: name,
    project: 'First',
    starter: 'empty',
  };
  const { status, json } = await request('POST', '/api/auth/signup', account);
  if (status >= 300) throw new Error(`no account: ${JSON.stringify(json)}`);
  return request;
}
