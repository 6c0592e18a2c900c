import { getTestServers, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll } from 'vitest';
import { callGateway, type TestResponse } from './http-call.js';
import type { GatewayOptions, TestGateway } from './start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from './test-cell.js';

type TenantOptions = NonNullable<Parameters<TestCell['addTenant']>[0]>;

export interface StageOptions {
  readonly tenant?: TenantOptions;
  /** Defaults to the options of `tenant`. Null: the tests need no second tenant. */
  readonly other?: TenantOptions | null;
  /** Statements that change the tenant's schema before the gateway starts. */
  readonly deploy?: readonly string[];
  /** Prepares the tenant further before the gateway starts. */
  readonly prepare?: (stage: Pick<Stage, 'cell' | 'tenant'>) => Promise<void>;
  readonly gateway?: GatewayOptions;
}

/** The environment of most integration tests. Its members are set when the tests run. */
export interface Stage {
  readonly cell: TestCell;
  /** The tenant under test, and another one that must not be affected, unless the options omit it. */
  readonly tenant: TestTenant;
  readonly other: TestTenant;
  readonly gateway: TestGateway;
  /** Calls the gateway with the tenant's key or another one. `path` is relative to `/v1/-`. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
    key?: string,
  ) => Promise<TestResponse>;
}

/**
 * Starts a cell on `engine` with two tenants and a gateway for the surrounding `describe`, and stops it
 * afterwards.
 */
export function stageCell(engine: TestMysql, options: StageOptions = {}): Stage {
  const stage = {} as { -readonly [Part in 'cell' | 'tenant' | 'other' | 'gateway']: Stage[Part] };

  beforeAll(async () => {
    stage.cell = await createTestCell(engine, getTestServers().redisUrl);
    stage.tenant = await stage.cell.addTenant(options.tenant);
    if (options.other !== null) stage.other = await stage.cell.addTenant(options.other ?? options.tenant);
    if (options.deploy !== undefined) await stage.cell.deploy(stage.tenant, options.deploy);
    await options.prepare?.(stage);
    stage.gateway = await stage.cell.startGateway(options.gateway);
  });
  afterAll(() => stage.cell?.stop());

  return Object.assign(stage, {
    call: (
      method: string,
      path: string,
      body?: unknown,
      headers: Readonly<Record<string, string>> = {},
      key = stage.tenant.key,
    ): Promise<TestResponse> =>
      callGateway(stage.gateway.url, method, `/v1/-${path}`, { key, body, headers }),
  });
}
