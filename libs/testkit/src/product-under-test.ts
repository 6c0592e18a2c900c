import type { TestMysql } from './test-servers.js';

/** The started product as the end-to-end suite sees it. */
export interface ProductUnderTest {
  readonly control_url: string;
  readonly console_url: string;
  /** The first gateway. */
  readonly gateway_url: string;
  /** Every gateway, side by side over the same databases. */
  readonly gateway_urls: readonly string[];
  readonly demo: { readonly email: string; readonly password: string; readonly project_id: string; readonly database_id: string; readonly api_key: string; readonly docs_url: string };
  readonly data_dir: string;
  /** Root of the database server, for looking behind the scenes. */
  readonly mysql: TestMysql;
  readonly redis_url: string;
  readonly metrics_urls: Readonly<Record<string, string>>;
  /** A `mariadb` command line client and what it needs in its environment; null where there is none. */
  readonly mariadb_client: { readonly command: string; readonly env: Readonly<Record<string, string>> } | null;
}

/** @throws Error outside a run with infra/checks/vitest.e2e.config.mjs */
export function getProduct(): ProductUnderTest {
  const text = process.env['ROWHOUSE_TEST_PRODUCT'];
  if (text === undefined) throw new Error('No product: run this file with --config infra/checks/vitest.e2e.config.mjs');
  return JSON.parse(text) as ProductUnderTest;
}
