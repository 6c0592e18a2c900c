import type { DatabaseSettings } from '@rowhouse/contracts';
import { Switch } from '@mantine/core';
import { CountField } from './rate-field.js';
import { SettingLine } from './setting-line.js';

interface QuestionLinesProps {
  readonly draft: DatabaseSettings;
  readonly set: (part: Partial<DatabaseSettings>) => void;
}

/** The settings for asking questions in plain language. */
export function QuestionLines({ draft, set }: QuestionLinesProps) {
  return (
    <>
      <SettingLine
        tab="questions"
        title="Language model"
        text="Send questions the built-in rules can’t answer to a language model. Only table and column names and types are sent, never data."
        control={
          <Switch
            aria-label="Language model"
            checked={draft.language_model}
            onChange={(event) => set({ language_model: event.currentTarget.checked })}
          />
        }
      />
      {draft.language_model ? (
        <SettingLine
          tab="questions"
          title="Tokens per day"
          terms="limit"
          text="For all databases of the project. Further questions get a 429 until midnight UTC. Leave empty for the default."
          control={
            <CountField
              label="Tokens per day"
              min={0}
              max={1_000_000_000}
              placeholder="default"
              value={draft.language_model_tokens_per_day}
              onChange={(tokens) => set({ language_model_tokens_per_day: tokens })}
            />
          }
        />
      ) : null}
      <SettingLine
        tab="questions"
        title="Question history"
        text="Keep questions and their SQL for 30 days, so members can review them."
        control={
          <Switch
            aria-label="Question history"
            checked={draft.question_history}
            onChange={(event) => set({ question_history: event.currentTarget.checked })}
          />
        }
      />
    </>
  );
}
