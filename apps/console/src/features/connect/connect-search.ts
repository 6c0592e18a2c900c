const TABS = ['direct', 'mcp', 'shell', 'docs'] as const;

/** The ways that stand in the address; without one it is REST. */
export type ConnectTab = (typeof TABS)[number];

export function isConnectTab(value: unknown): value is ConnectTab {
  return TABS.some((tab) => tab === value);
}

/** Reads the address leniently. */
export function readConnectSearch({ tab }: Record<string, unknown>): { tab?: ConnectTab } {
  return isConnectTab(tab) ? { tab } : {};
}
