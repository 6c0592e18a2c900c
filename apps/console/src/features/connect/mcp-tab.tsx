import type { Scope } from '@rowhouse/contracts';
import { readSessionSecret } from '../../data/gateway/session-keys.js';
import { tryMcp } from '../../data/gateway/try-mcp.js';
import { useHeldSecret } from '../../data/keys/key-vault.js';
import { CodeBlock } from '../../ui/code/code-block.js';
import { Panel } from '../../ui/layout/panel.js';
import { SnippetTabs } from '../../ui/code/snippet-tabs.js';
import { QuickKeyButton } from '../keys/quick-key-button.js';
import { useCurrentDatabase } from '../shell/current-database.js';
import classes from './connect.module.css';
import { ConnectionTest } from './direct/connection-test.js';
import { describeMcp, type TestFinding } from './direct/describe-test.js';
import { HeldKeyPanel } from './rest-tab.js';
import { makeMcpSnippets, toMcpAddress } from './make-mcp-snippet.js';

/** The scopes of a key that can ask questions but cannot write. */
const READ_SCOPES: Scope[] = ['read', 'query', 'schema'];

/** The tab for agents: the URL of the MCP server, an API key, and the configuration for common clients. */
export function McpTab() {
  const { database } = useCurrentDatabase();
  const held = useHeldSecret(database.id);
  const address = toMcpAddress(database.base_url);
  const check = async (): Promise<TestFinding> =>
    describeMcp(await tryMcp(address, held?.secret ?? (await readSessionSecret(database.id))), held !== null);
  return (
    <div className={classes.stack}>
      <Panel
        title="MCP URL"
        note="Streamable HTTP with an API key as bearer token. Agents see only the tools and tables that their key allows."
      >
        <CodeBlock code={address} language="text" label="MCP URL" />
        <ConnectionTest key={held?.secret} run={check} />
      </Panel>
      <HeldKeyPanel
        databaseId={database.id}
        note="Give each agent its own key with only the permissions it needs."
      >
        <QuickKeyButton database={database} scopes={READ_SCOPES} label="Create read-only key" />
        <QuickKeyButton database={database} label="Create read-write key" />
      </HeldKeyPanel>
      <Panel title="Clients">
        <SnippetTabs
          label="Client"
          kind="configuration"
          snippets={makeMcpSnippets(database.base_url, held?.secret ?? null)}
        />
        {held === null ? (
          <p className={classes.note}>
            Replace <code>$ROWHOUSE_KEY</code> with an API key.
          </p>
        ) : null}
      </Panel>
      <Panel
        title="Projects and schemas"
        note="Tools that change schemas need a personal access token instead of an API key."
      >
        <CodeBlock code={`${window.location.origin}/mcp`} language="text" label="MCP URL for projects" />
      </Panel>
    </div>
  );
}
