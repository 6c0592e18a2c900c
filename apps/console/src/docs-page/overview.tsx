import type { ApiReference } from '@rowhouse/emitters/reference';
import { CodeSample } from './code-sample.js';
import type { DocsData } from './docs-data.js';
import { toHash } from './page-route.js';
import { PlainText } from './plain-text.js';

interface OverviewProps {
  readonly reference: ApiReference;
  readonly data: DocsData;
  readonly docsUrl: string;
  readonly onNeedKey: () => void;
}

/** The first screen: how to call the API, and what it contains. */
export function Overview({ reference, data, docsUrl, onNeedKey }: OverviewProps) {
  const { baseUrl, license, groups } = reference;
  return (
    <>
      <h1 tabIndex={-1}>{data.title || reference.title}</h1>
      {data.intro === '' ? (
        <p>A REST API with endpoints for every table, generated from the database’s schema.</p>
      ) : (
        data.intro.split(/\n\s*\n/).map((paragraph, index) => (
          <p key={index} className="intro">
            {paragraph}
          </p>
        ))
      )}
      <h2>Base URL</h2>
      <CodeSample code={baseUrl} language="text" label="base URL" />
      <h2>Authentication</h2>
      <p>
        Send an API key in the <code>Authorization: Bearer</code> or <code>X-API-Key</code> header.{' '}
        <button type="button" className="link" onClick={onNeedKey}>
          Add a key
        </button>{' '}
        to run the examples on this page.
      </p>
      <CodeSample
        code={`export ROWHOUSE_KEY=…\ncurl "${baseUrl}/" \\\n  -H "Authorization: Bearer $ROWHOUSE_KEY"`}
        language="bash"
        label="curl example"
      />
      <h2>Tables and endpoints</h2>
      <ul className="cards">
        {groups.map((group) => (
          <li key={group.name}>
            <a href={toHash({ group: group.name })}>{group.name}</a>
            <span className="dim">{`${group.operations.length} operations`}</span>
          </li>
        ))}
      </ul>
      <details>
        <summary>Conventions</summary>
        {reference.description.split('\n\n').map((paragraph, index) => (
          <p key={index}>
            <PlainText text={paragraph} />
          </p>
        ))}
      </details>
      <h2>Other formats</h2>
      <ul>
        <li>
          <a href={`${docsUrl}/llms.txt`}>llms.txt</a> and <a href={`${docsUrl}/index.md`}>Markdown</a> for AI
          agents
        </li>
        <li>
          <a href={data.openapi}>OpenAPI 3.1</a> for generators
        </li>
        <li>
          <a href={`${docsUrl}/swagger`}>Swagger UI</a>
        </li>
      </ul>
      <p className="dim">
        Schema version {reference.version}.
        {license === null ? '' : ` License: ${license.name} (${license.terms}).`}
      </p>
    </>
  );
}
