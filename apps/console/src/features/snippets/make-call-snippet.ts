import { makeCallSample, type SampleLanguage } from '@rowhouse/emitters/samples';
import { toGatewayAddress } from '../../data/gateway/call-gateway.js';
import type { GatewayCall } from '../../data/gateway/run-call.js';
import type { CodeLanguage } from '../../ui/formatting/highlight.js';

export type SnippetLanguage = Exclude<SampleLanguage, 'typescript'>;

export const SNIPPET_LANGUAGES: readonly {
  value: SnippetLanguage;
  label: string;
  code: CodeLanguage;
}[] = [
  { value: 'curl', label: 'curl', code: 'bash' },
  { value: 'javascript', label: 'JavaScript', code: 'javascript' },
  { value: 'python', label: 'Python', code: 'python' },
  { value: 'php', label: 'PHP', code: 'javascript' },
  { value: 'go', label: 'Go', code: 'javascript' },
];

/**
 * Returns the code of one API call in a programming language. Without a secret, the code reads the API key
 * from the environment variable `ROWHOUSE_KEY`.
 */
export function makeCallSnippet(
  language: SnippetLanguage,
  baseUrl: string,
  { method, path, body }: GatewayCall,
  secret: string | null,
): string {
  return makeCallSample(language, { method, address: toGatewayAddress(baseUrl, path), body }, secret);
}
