import { Tabs } from '@mantine/core';
import { CodeBlock } from './code-block.js';
import type { CodeLanguage } from '../formatting/highlight.js';

export interface Snippet {
  readonly label: string;
  readonly language: CodeLanguage;
  readonly code: string;
  /** The file or the place in a program where the snippet belongs. */
  readonly place?: string;
}

/**
 * A snippet in variants for several programs, as tabs. `kind` is part of its label: `command` or
 * `configuration`.
 */
export function SnippetTabs({
  label,
  kind,
  snippets,
}: {
  label: string;
  kind: string;
  snippets: readonly Snippet[];
}) {
  return (
    // The values of the tabs are numbers, because they become parts of ids, and labels may contain blanks.
    <Tabs defaultValue="0" keepMounted={false}>
      <Tabs.List aria-label={label}>
        {snippets.map((snippet, index) => (
          <Tabs.Tab key={snippet.label} value={String(index)}>
            {snippet.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet, index) => (
        <Tabs.Panel key={snippet.label} value={String(index)} pt={10}>
          <CodeBlock
            code={snippet.code}
            language={snippet.language}
            label={`${snippet.label} ${kind}`}
            wrap
          />
          {snippet.place === undefined ? null : <p className="rh-note">{snippet.place}</p>}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
