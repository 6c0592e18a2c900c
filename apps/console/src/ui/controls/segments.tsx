import { useId } from 'react';
import classes from './segments.module.css';

interface SegmentsProps {
  /** The choices. A string is both value and label. */
  readonly data: readonly (string | { readonly value: string; readonly label: string })[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly fullWidth?: boolean;
  readonly 'aria-label'?: string;
  readonly 'aria-labelledby'?: string;
}

/**
 * A choice between a few values. Radio buttons provide keyboard support. Mantine's component measures each
 * label, which causes a second layout.
 */
export function Segments({ data, value, onChange, fullWidth = false, ...labels }: SegmentsProps) {
  const name = useId();
  return (
    <div role="radiogroup" className={classes.segments} data-full={fullWidth || undefined} {...labels}>
      {data.map((entry) => {
        const choice = typeof entry === 'string' ? { value: entry, label: entry } : entry;
        return (
          <label key={choice.value} className={classes.segment}>
            <input
              type="radio"
              className="rh-spoken"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span>{choice.label}</span>
          </label>
        );
      })}
    </div>
  );
}
