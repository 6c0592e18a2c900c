import { useId } from 'react';
import classes from './segments.module.css';

interface SegmentsProps {
  /** What is chosen between; a word alone is both value and label. */
  readonly data: readonly (string | { readonly value: string; readonly label: string })[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly fullWidth?: boolean;
  readonly 'aria-label'?: string;
  readonly 'aria-labelledby'?: string;
}

/**
 * One of a few, side by side. Radio buttons, so that the arrow keys work as everywhere.
 * Our own because the component library's measures each label when it is shown, which makes the browser lay the page out twice.
 */
export function Segments({ data, value, onChange, fullWidth = false, ...labels }: SegmentsProps) {
  const name = useId();
  return (
    <div role="radiogroup" className={classes.segments} data-full={fullWidth || undefined} {...labels}>
      {data.map((entry) => {
        const choice = typeof entry === 'string' ? { value: entry, label: entry } : entry;
        return (
          <label key={choice.value} className={classes.segment}>
            <input type="radio" className="rh-spoken" name={name} value={choice.value} checked={choice.value === value} onChange={() => onChange(choice.value)} />
            <span>{choice.label}</span>
          </label>
        );
      })}
    </div>
  );
}
