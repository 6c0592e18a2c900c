import type { Scope } from '@rowhouse/contracts';
import { Tabs } from '@mantine/core';
import { useHeldSecret } from '../../data/keys/key-vault.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Panel } from '../../ui/panel.js';
import { SecretBox } from '../../ui/secret-box.js';
import { QuickKeyButton } from '../keys/quick-key-button.js';
import { useCurrentDatabase } from '../shell/current-database.js';
import classes from './connect.module.css';
import { makeMcpSnippets, toMcpAddress } from './make-mcp-snippet.js';

/** Enough for questions, and nothing can be written with it. */
const READ_SCOPES: Scope[] = ['read', 'query', 'schema'];

/** The address for agents, a key, and what common clients want to be told. */
export function McpTab() {
  const { database } = useCurrentDatabase();
  const held = useHeldSecret(database.id);
  const snippets = makeMcpSnippets(database.base_url, held?.secret ?? null);
  return (
    <div className={classes.stack}>
      <Panel title="MCP address" note="Streamable HTTP, with an API key as bearer token. An agent sees the tools and tables that its key may use.">
        <CodeBlock code={toMcpAddress(database.base_url)} language="text" label="MCP address" />
      </Panel>
      <Panel title="API key" note={held ? undefined : 'Give an agent a key of its own, with no more rights than its task needs.'}>
        {held ? <SecretBox secret={held.secret} label="API key" note={`${held.name}: shown once, in this tab only.`} /> : (
          <div className={classes.ask}>
            <QuickKeyButton database={database} scopes={READ_SCOPES} label="Create key that may read" />
            <QuickKeyButton database={database} label="Create key that may write" />
          </div>
        )}
      </Panel>
      <Panel title="Clients">
        <Tabs defaultValue={snippets[0]?.label ?? null} keepMounted={false}>
          <Tabs.List aria-label="Client">
            {snippets.map((snippet) => <Tabs.Tab key={snippet.label} value={snippet.label}>{snippet.label}</Tabs.Tab>)}
          </Tabs.List>
          {snippets.map((snippet) => (
            <Tabs.Panel key={snippet.label} value={snippet.label} pt={10}>
              <CodeBlock code={snippet.code} language={snippet.language} label={`${snippet.label} configuration`} wrap />
              <p className={classes.note}>{snippet.place}</p>
            </Tabs.Panel>
          ))}
        </Tabs>
        {held === null ? <p className={classes.note}><code>$ROWHOUSE_KEY</code> stands for a key of this database until you make one here.</p> : null}
      </Panel>
      <Panel title="Projects and schemas" note="Tools that change schemas take a personal access token in place of a key.">
        <CodeBlock code={`${window.location.origin}/mcp`} language="text" label="MCP address for projects" />
      </Panel>
    </div>
  );
}
