import { Tabs } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { GatewayCall } from '../../data/gateway/run-call.js';
import { CodeBlock } from '../../ui/code-block.js';
import { makeCallSnippet, SNIPPET_LANGUAGES, type SnippetLanguage } from './make-call-snippet.js';

interface CallSnippetsProps {
  readonly baseUrl: string;
  readonly call: GatewayCall;
  readonly secret: string | null;
}

/** One call in three languages; the chosen language is remembered for all of them. */
export function CallSnippets({ baseUrl, call, secret }: CallSnippetsProps) {
  const [language, setLanguage] = useLocalStorage<SnippetLanguage>({ key: 'rowhouse-snippet-language', defaultValue: 'curl', getInitialValueInEffect: false });
  return (
    <Tabs value={language} onChange={(value) => setLanguage((value ?? 'curl') as SnippetLanguage)} keepMounted={false}>
      <Tabs.List aria-label="Language">
        {SNIPPET_LANGUAGES.map((entry) => (
          <Tabs.Tab key={entry.value} value={entry.value}>{entry.label}</Tabs.Tab>
        ))}
      </Tabs.List>
      {SNIPPET_LANGUAGES.map((entry) => (
        <Tabs.Panel key={entry.value} value={entry.value} pt={10}>
          <CodeBlock code={makeCallSnippet(entry.value, baseUrl, call, secret)} language={entry.code} label={`${entry.label} example`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
