import { toGatewayAddress } from '../../data/gateway/call-gateway.js';
import { CodeBlock } from '../../ui/code/code-block.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { Panel } from '../../ui/layout/panel.js';
import { useCurrentDatabase } from '../shell/current-database.js';
import classes from './connect.module.css';
import { DocsLink } from '../api-docs/docs-link.js';

/** The tab with the OpenAPI document and the documentation page that is generated from it. */
export function DocsTab() {
  const { project, database } = useCurrentDatabase();
  const params = { projectId: project.id, environment: database.environment };
  if (!database.settings.docs_enabled) {
    return (
      <div className={classes.stack}>
        <EmptyState
          title="Public docs are off"
          action={
            <ButtonLink
              variant="default"
              to="/projects/$projectId/$environment/settings"
              params={params}
              search={{ tab: 'api' }}
            >
              Open settings
            </ButtonLink>
          }
        >
          The OpenAPI document and the docs page of {database.environment} are turned off in its settings.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className={classes.stack}>
      <Panel title="OpenAPI document" note="Anyone with this URL can read it. The URL can’t be guessed.">
        <CodeBlock
          code={toGatewayAddress(database.base_url, `/openapi/${database.docs_slug}`)}
          language="text"
          label="OpenAPI URL"
        />
      </Panel>
      <Panel title="Docs for AI agents" note="Markdown that follows the schema.">
        <CodeBlock code={`${database.docs_url}/llms.txt`} language="text" label="llms.txt URL" />
      </Panel>
      <Panel title="Interactive docs">
        <div className={classes.doc}>
          <p>Browse every endpoint and try it out.</p>
          <div className={classes.ask}>
            <DocsLink database={database} label="Open docs" />
            <ButtonLink variant="subtle" to="/projects/$projectId/$environment/api" params={params}>
              Open API reference
            </ButtonLink>
          </div>
        </div>
      </Panel>
    </div>
  );
}
