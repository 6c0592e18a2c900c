import type { DatabaseSettings } from '@rowhouse/contracts';
import { Switch } from '@mantine/core';
import { CountField } from './count-field.js';
import { SettingLine } from './setting-line.js';

interface QuestionLinesProps {
  readonly draft: DatabaseSettings;
  readonly set: (part: Partial<DatabaseSettings>) => void;
}

/** The settings for questions in plain language. */
export function QuestionLines({ draft, set }: QuestionLinesProps) {
  return (
    <>
      <SettingLine
        title="Language model" text="Questions that the rules do not understand may be put to a language model, where there is one. It is told names and types of the schema, never rows."
        control={<Switch aria-label="Language model" checked={draft.language_model} onChange={(event) => set({ language_model: event.currentTarget.checked })} />}
      />
      {draft.language_model ? (
        <SettingLine
          title="Tokens a day" text="Of all databases of the project together; beyond it questions get 429 until midnight UTC. Empty: what this installation allows."
          control={<CountField label="Tokens a day" min={0} max={1_000_000_000} placeholder="default" value={draft.language_model_tokens_per_day} onChange={(tokens) => set({ language_model_tokens_per_day: tokens })} />}
        />
      ) : null}
      <SettingLine
        title="History of questions" text="Questions are kept for 30 days with their SQL, to be looked at and judged by members."
        control={<Switch aria-label="History of questions" checked={draft.question_history} onChange={(event) => set({ question_history: event.currentTarget.checked })} />}
      />
    </>
  );
}
