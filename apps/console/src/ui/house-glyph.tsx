import { toneOf } from './environment-tone.js';

/** The icon of an environment: a house in its color. */
export function HouseGlyph({ environment, size = 16 }: { environment: string; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
      style={{ color: `var(--rh-${toneOf(environment)})`, flex: 'none' }}
    >
      <path d="M2.5 14V6.7L8 1.8l5.5 4.9V14h-4V9.8h-3V14z" fill="currentColor" />
    </svg>
  );
}
