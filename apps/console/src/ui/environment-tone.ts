export type Tone = 'pine' | 'brick' | 'harbour' | 'ochre';

/** Returns the color of an environment. */
export function toneOf(environment: string): Tone {
  if (environment === 'development') return 'harbour';
  if (environment === 'production') return 'brick';
  return 'ochre';
}
