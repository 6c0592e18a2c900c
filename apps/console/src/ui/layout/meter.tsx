import classes from './meter.module.css';

interface MeterProps {
  readonly label: string;
  /** The used share of a limit, between 0 and 1. Null without a limit. */
  readonly share: number | null;
}

/** A bar that shows how much of a limit is used. The numbers are next to it as text. */
export function Meter({ label, share }: MeterProps) {
  if (share === null) return null;
  const percent = Math.min(100, Math.round(share * 100));
  return (
    <div
      className={classes.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      data-tone={percent >= 100 ? 'brick' : percent >= 80 ? 'ochre' : undefined}
    >
      <span style={{ width: `${Math.max(percent, share > 0 ? 1 : 0)}%` }} />
    </div>
  );
}
