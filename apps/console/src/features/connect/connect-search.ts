/** The tab `access` is not shown. The public docs page opens it to get a key. */
const TABS = ['direct', 'mcp', 'shell', 'docs', 'access'] as const;

/** The tabs of the connect page that its URL can name. Without a name, the REST tab is shown. */
export type ConnectTab = (typeof TABS)[number];

export function isConnectTab(value: unknown): value is ConnectTab {
  return TABS.some((tab) => tab === value);
}

/** Reads the search parameters and ignores an unknown tab. */
export function readConnectSearch({ tab }: Record<string, unknown>): { tab?: ConnectTab } {
  return isConnectTab(tab) ? { tab } : {};
}
