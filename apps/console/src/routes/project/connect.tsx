import type { CreatedConnectionResponse } from '@rowhouse/contracts';
import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { isConnectTab } from '../../features/connect/connect-search.js';
import { QuickWays } from '../../features/connect/quick-ways.js';
import { RestTab } from '../../features/connect/rest-tab.js';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { RoleNote } from '../../features/shell/role-note.js';
import { headingOf } from '../../first/page-headings.js';
import { lazyPart } from '../../ui/loading/lazy-part.js';
import { Page } from '../../ui/layout/page.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';

const WAITING = <SkeletonRows rows={4} height={56} />;
const loadTabs = () => import('../../features/connect/other-tabs.js');
const CommandLine = lazyPart(() => loadTabs().then((module) => module.CommandLine), WAITING);
const DocsAccess = lazyPart(() => loadTabs().then((module) => module.DocsAccess), WAITING);
const DirectTab = lazyPart(() => loadTabs().then((module) => module.DirectTab), WAITING);
const DocsTab = lazyPart(() => loadTabs().then((module) => module.DocsTab), WAITING);
const McpTab = lazyPart(() => loadTabs().then((module) => module.McpTab), WAITING);

const route = getRouteApi('/signed-in/projects/$projectId/$environment/connect');

/** The page with all ways to connect to a database. The URL contains the open tab. */
export function ConnectScreen() {
  const { project, database } = useCurrentDatabase();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const canCreate = useMay(project, 'developer');
  const [created, setMade] = useState<CreatedConnectionResponse | null>(null);
  const open = (value: string | null): void =>
    void navigate({ search: isConnectTab(value) ? { tab: value } : {}, replace: true });
  const showConnection = (connection: CreatedConnectionResponse): void => {
    setMade(connection);
    open('direct');
  };
  if (tab === 'access') return <DocsAccess />;
  return (
    <Page
      {...headingOf('connect', database.environment)}
      actions={
        canCreate ? (
          <QuickWays database={database} onKey={() => open('rest')} onConnection={showConnection} />
        ) : undefined
      }
    >
      <RoleNote project={project} least="developer" toDo="create keys and connection strings" />
      <Tabs value={tab ?? 'rest'} onChange={open} keepMounted={false}>
        <Tabs.List aria-label="Ways to connect">
          <Tabs.Tab value="rest">REST</Tabs.Tab>
          <Tabs.Tab value="direct">Connection string</Tabs.Tab>
          <Tabs.Tab value="mcp">MCP</Tabs.Tab>
          <Tabs.Tab value="shell">Command line</Tabs.Tab>
          <Tabs.Tab value="docs">Docs</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rest">
          <RestTab />
        </Tabs.Panel>
        <Tabs.Panel value="direct">
          <DirectTab created={created} onCreated={setMade} />
        </Tabs.Panel>
        <Tabs.Panel value="mcp">
          <McpTab />
        </Tabs.Panel>
        <Tabs.Panel value="shell">
          <CommandLine project={project} database={database} />
        </Tabs.Panel>
        <Tabs.Panel value="docs">
          <DocsTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
