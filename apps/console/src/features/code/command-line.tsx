import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { CodeBlock } from '../../ui/code/code-block.js';
import { Panel } from '../../ui/layout/panel.js';
import classes from './code.module.css';

/**
 * Shows shell commands that generate the code, either with the CLI or with curl, which needs no installation.
 */
export function CommandLine({ project, database }: { project: ProjectResponse; database: DatabaseResponse }) {
  const control = window.location.origin;
  const target = `--project ${project.id} --database ${database.environment}`;
  return (
    <div className={classes.stack}>
      <Panel
        title="Command line"
        note="Install the CLI (no dependencies). Sign in once; it stores a personal access token."
      >
        <CodeBlock
          language="bash"
          label="install commands"
          code={`npm install --global ./apps/cli\nrowhouse login --url ${control}`}
          wrap
        />
      </Panel>
      <Panel title="Test the connection" note="Runs a one-row query against your database.">
        <CodeBlock
          language="bash"
          label="test command"
          code={`rowhouse query "SELECT 1 AS works" ${target}`}
          wrap
        />
      </Panel>
      <Panel
        title="Generate files"
        note="Run this again after each deploy. Your own files next to the generated ones are never changed."
      >
        <CodeBlock
          language="bash"
          label="code commands"
          code={`rowhouse code python ${target} --out models\nrowhouse code typescript ${target} --out client`}
          wrap
        />
      </Panel>
      <Panel title="Use curl" note="Create a personal access token under Account.">
        <CodeBlock
          language="bash"
          label="curl commands"
          wrap
          code={`curl -H "Authorization: Bearer $ROWHOUSE_TOKEN" \\\n  "${control}/api/databases/${database.id}/code/python/archive" | tar -x -C models\n\ncurl -H "Authorization: Bearer $ROWHOUSE_TOKEN" \\\n  "${control}/api/databases/${database.id}/code/typescript/archive" | tar -x -C client`}
        />
        <p className={classes.note}>
          Create the folders first: <code>mkdir -p models client</code>.
        </p>
      </Panel>
    </div>
  );
}
