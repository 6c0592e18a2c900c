import type { Scope } from '@rowhouse/contracts';
import { readSessionSecret } from '../../data/gateway/session-keys.js';
import { tryMcp } from '../../data/gateway/try-mcp.js';
import { useHeldSecret } from '../../data/keys/key-vault.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Panel } from '../../ui/panel.js';
import { SnippetTabs } from '../../ui/snippet-tabs.js';
import { QuickKeyButton } from '../keys/quick-key-button.js';
import { useCurrentDatabase } from '../shell/current-database.js';
import classes from './connect.module.css';
import { ConnectionTest } from './connection-test.js';
import { describeMcp, type TestFinding } from './describe-test.js';
import { HeldKeyPanel } from './held-key-panel.js';
import { makeMcpSnippets, toMcpAddress } from './make-mcp-snippet.js';

/** Sufficient for questions, without any right to write. */
const READ_SCOPES: Scope[] = ['read', 'query', 'schema'];

/** The URL for agents, a key, and the configuration for common clients. */
export function McpTab() {
  const { database } = useCurrentDatabase();
  const held = useHeldSecret(database.id);
  const address = toMcpAddress(database.base_url);
  const look = async (): Promise<TestFinding> => describeMcp(await tryMcp(address, held?.secret ?? (await readSessionSecret(database.id))), held !== null);
  return (
    <div className={classes.stack}>
      <Panel title="MCP address" note="Streamable HTTP, with an API key as bearer token. An agent sees the tools and tables that its key may use.">
        <CodeBlock code={address} language="text" label="MCP address" />
        <ConnectionTest key={held?.secret} run={look} />
      </Panel>
      <HeldKeyPanel databaseId={database.id} note="Give an agent a key of its own, with no more rights than its task needs.">
        <QuickKeyButton database={database} scopes={READ_SCOPES} label="Create key that may read" />
        <QuickKeyButton database={database} label="Create key that may write" />
      </HeldKeyPanel>
      <Panel title="Clients">
        <SnippetTabs label="Client" kind="configuration" snippets={makeMcpSnippets(database.base_url, held?.secret ?? null)} />
        {held === null ? <p className={classes.note}><code>$ROWHOUSE_KEY</code> stands for a key of this database until you make one here.</p> : null}
      </Panel>
      <Panel title="Projects and schemas" note="Tools that change schemas take a personal access token in place of a key.">
        <CodeBlock code={`${window.location.origin}/mcp`} language="text" label="MCP address for projects" />
      </Panel>
    </div>
  );
}
