import { useId, type ReactNode } from 'react';
import classes from './choice-cards.module.css';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly title: string;
  readonly text: ReactNode;
}

interface ChoiceCardsProps<Value extends string> {
  readonly legend: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** The number of columns. Defaults to the number of choices. */
  readonly columns?: number;
}

/** Radio buttons as cards, with space for an explanation of each choice. */
export function ChoiceCards<Value extends string>({
  legend,
  choices,
  value,
  onChange,
  columns = choices.length,
}: ChoiceCardsProps<Value>) {
  const name = useId();
  return (
    <fieldset className={classes.set}>
      <legend>{legend}</legend>
      <div className={classes.grid} style={{ ['--choices' as string]: columns }}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.card}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              aria-label={choice.title}
              aria-describedby={`${name}-${choice.value}`}
            />
            <span className={classes.title} aria-hidden="true">
              {choice.title}
            </span>
            <span className={classes.text} id={`${name}-${choice.value}`}>
              {choice.text}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
