export type Tone = 'pine' | 'brick' | 'harbour' | 'ochre';

/** The facade colour of an environment. */
export function toneOf(environment: string): Tone {
  if (environment === 'development') return 'harbour';
  if (environment === 'production') return 'brick';
  return 'ochre';
}
