import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { PreloadQueries } from '../../data/preload-queries.js';
import { codeQuery } from '../../data/code/queries.js';
import type { CodeSearch } from '../../features/code/code-search.js';
import { CommandLine } from '../../features/code/command-line.js';
import { GeneratedCode } from '../../features/code/generated-code.js';
import { useCurrentDatabase } from '../../features/shell/current-database.js';
import { headingOf } from '../../first/page-headings.js';
import { Page } from '../../ui/layout/page.js';

const route = getRouteApi('/signed-in/projects/$projectId/$environment/code');

/** Loads the files that are shown by default. */
export const preloadQueries: PreloadQueries = (queryClient, database) =>
  void queryClient.prefetchQuery(codeQuery(database.id, database.snapshot_number, { language: 'python' }));

/** The page with data models and API clients, which are generated from the deployed schema. */
export function CodeScreen() {
  const { project, database } = useCurrentDatabase();
  const heading = headingOf('code', database.environment);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: { [Name in keyof CodeSearch]?: CodeSearch[Name] | undefined }): void =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...part }).filter(([, value]) => value !== undefined),
        ) as CodeSearch,
      replace: true,
    });
  const open = (tab: string | null): void =>
    change({ tab: tab === 'typescript' || tab === 'shell' ? tab : undefined, file: undefined });
  return (
    <Page {...heading} lead={`${heading.lead} Live: version ${database.snapshot_number}.`}>
      <Tabs value={search.tab ?? 'python'} onChange={open} keepMounted={false}>
        <Tabs.List aria-label="Languages">
          <Tabs.Tab value="python">Python</Tabs.Tab>
          <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
          <Tabs.Tab value="shell">Command line</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="python">
          <GeneratedCode database={database} language="python" search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="typescript">
          <GeneratedCode database={database} language="typescript" search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="shell">
          <CommandLine project={project} database={database} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
