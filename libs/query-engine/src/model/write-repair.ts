import type { PromptMessage } from './build-model-prompt.js';
import type { ModelSqlFault } from './check-model-sql.js';
import { cleanText } from './render-table.js';

const FAULTS_MAX = 6;
const ANSWER_CHARACTERS_MAX = 8_000;

/**
 * Creates the message about the model's own response. It contains no row, no value and no text of the server.
 */
export function writeRepair(
  answer: string,
  faults: readonly Pick<ModelSqlFault, 'message' | 'similarNames'>[],
): PromptMessage[] {
  const lines = faults
    .slice(0, FAULTS_MAX)
    .map(
      ({ message, similarNames }) =>
        `- ${cleanText(message, 300)}${similarNames.length === 0 ? '' : ` Near it: ${similarNames.slice(0, 5).join(', ')}.`}`,
    );
  return [
    { role: 'assistant', content: answer.slice(0, ANSWER_CHARACTERS_MAX) },
    {
      role: 'user',
      content: `That query cannot be used:\n${lines.join('\n')}\nWrite the whole query again by the same rules, as JSON: {"sql": "…", "reason": ""}.`,
    },
  ];
}
