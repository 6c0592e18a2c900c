import { Textarea } from '@mantine/core';
import { ChoiceCards } from '../../ui/controls/choice-cards.js';
import { BEGINNING_CHOICES, type StarterInput } from './beginnings.js';

const TEXT_LENGTH_MAX = 1_048_576;
const WORDS_LENGTH_MAX = 4_000;

/**
 * Selects how a project's first tables are created. For SQL and for a description, a text field is shown
 * below.
 */
export function BeginningField({
  input,
  onChange,
}: {
  input: StarterInput;
  onChange: (values: StarterInput) => void;
}) {
  const setText = (text: string): void => onChange({ ...input, text });
  return (
    <>
      <ChoiceCards
        legend="Start from"
        choices={BEGINNING_CHOICES}
        columns={3}
        value={input.kind}
        onChange={(kind) => onChange({ kind, text: '' })}
      />
      {input.kind === 'sql' ? (
        <Textarea
          label="SQL"
          description="Deployed to development right away."
          placeholder={'CREATE TABLE notes (\n  id int AUTO_INCREMENT PRIMARY KEY,\n  body text NOT NULL\n);'}
          autosize
          minRows={4}
          maxRows={12}
          maxLength={TEXT_LENGTH_MAX}
          value={input.text}
          onChange={(event) => setText(event.currentTarget.value)}
          spellCheck={false}
          required
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
        />
      ) : null}
      {input.kind === 'describe' ? (
        <Textarea
          label="What are you building?"
          description="You’ll review the SQL before anything is created."
          placeholder="A table books with title, price and an author"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={WORDS_LENGTH_MAX}
          value={input.text}
          onChange={(event) => setText(event.currentTarget.value)}
          required
        />
      ) : null}
    </>
  );
}
