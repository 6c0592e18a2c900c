type Tone = 'pine' | 'brick' | 'harbour' | 'ochre';
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

/** Returns the color of an environment. */
function toneOf(environment: string): Tone {
  if (environment === 'development') return 'harbour';
  if (environment === 'production') return 'brick';
  return 'ochre';
}

/** The logo: three houses in a row. Screen readers skip it, because the name is next to it. */
export function BrandMark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M2 28V14.5L7 9l5 5.5V28z" fill="#b5533a" />
      <path d="M11 28V9.5L16 4l5 5.5V28z" fill="#2b7459" />
      <path d="M20 28V14.5L25 9l5 5.5V28z" fill="#c98a1b" />
      <path d="M14 28v-6h4v6zM5.5 17h3v3.5h-3zM23.5 17h3v3.5h-3zM14.5 12h3v4h-3z" fill="#fdfbf6" />
    </svg>
  );
}
