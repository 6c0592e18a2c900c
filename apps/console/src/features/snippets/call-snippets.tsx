import { Tabs } from '@mantine/core';
import type { GatewayCall } from '../../data/gateway/run-call.js';
import type { CodeLanguage } from '../../ui/formatting/highlight.js';
import { CodeBlock } from '../../ui/code/code-block.js';
import { usePersistedState } from '../../ui/controls/use-persisted-state.js';
import { makeCallSnippet, SNIPPET_LANGUAGES, type SnippetLanguage } from './make-call-snippet.js';

interface CallSnippetsProps {
  readonly baseUrl: string;
  readonly request: GatewayCall;
  readonly secret: string | null;
  /** An additional tab next to the three programming languages. */
  readonly more?: { readonly label: string; readonly language: CodeLanguage; readonly code: string };
}

/** Shows the code of one API call in three languages. The selected language then applies to all calls. */
export function CallSnippets({ baseUrl, request, secret, more }: CallSnippetsProps) {
  const [stored, setLanguage] = usePersistedState<SnippetLanguage | 'more'>(
    'rowhouse-snippet-language',
    'curl',
  );
  const language = stored === 'more' && more === undefined ? 'curl' : stored;
  return (
    <Tabs
      value={language}
      onChange={(value) => setLanguage((value ?? 'curl') as SnippetLanguage | 'more')}
      keepMounted={false}
    >
      <Tabs.List aria-label="Language">
        {SNIPPET_LANGUAGES.map((entry) => (
          <Tabs.Tab key={entry.value} value={entry.value}>
            {entry.label}
          </Tabs.Tab>
        ))}
        {more === undefined ? null : <Tabs.Tab value="more">{more.label}</Tabs.Tab>}
      </Tabs.List>
      {SNIPPET_LANGUAGES.map((entry) => (
        <Tabs.Panel key={entry.value} value={entry.value} pt={10}>
          <CodeBlock
            code={makeCallSnippet(entry.value, baseUrl, request, secret)}
            language={entry.code}
            label={`${entry.label} example`}
          />
        </Tabs.Panel>
      ))}
      {more === undefined ? null : (
        <Tabs.Panel value="more" pt={10}>
          <CodeBlock code={more.code} language={more.language} label={`${more.label} example`} />
        </Tabs.Panel>
      )}
    </Tabs>
  );
}
