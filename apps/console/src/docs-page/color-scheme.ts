import { useEffect, useState } from 'react';

type Scheme = 'light' | 'dark';

const STORAGE_NAME = 'rowhouse-docs-scheme';
/** The backgrounds on which links and buttons are hardest to read, in each color scheme. */
const BACKGROUNDS: Record<Scheme, string> = { light: '#f4f1ea', dark: '#242b29' };
/** The minimum contrast of text by WCAG 2.2 AA. */
const CONTRAST_MIN = 4.5;

/** Returns the visible color scheme, and a function that switches it. The system's scheme is the default. */
export function useColorScheme(): { readonly scheme: Scheme; readonly toggle: () => void } {
  const [chosen, setChosen] = useState(readChosen);
  const [system, setSystem] = useState(readSystem);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const update = (): void => setSystem(readSystem());
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  const scheme = chosen ?? system;
  useEffect(() => {
    document.documentElement.dataset['scheme'] = scheme;
  }, [scheme]);
  const toggle = (): void => {
    const next = scheme === 'dark' ? 'light' : 'dark';
    setChosen(next);
    try {
      localStorage.setItem(STORAGE_NAME, next);
    } catch {
      // The browser's storage may be disabled. The choice then ends with the page.
    }
  };
  return { scheme, toggle };
}

function readChosen(): Scheme | null {
  try {
    const stored = localStorage.getItem(STORAGE_NAME);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    return null;
  }
}

function readSystem(): Scheme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Sets the project's accent color, adjusted for each color scheme so that text in it can be read. */
export function applyAccent(accent: string): void {
  if (!/^#[0-9a-f]{6}$/i.test(accent)) return;
  for (const scheme of ['light', 'dark'] as const)
    document.documentElement.style.setProperty(`--accent-${scheme}`, toReadable(accent, scheme));
}

/** Darkens or lightens a color until its contrast with the background is sufficient. */
export function toReadable(accent: string, scheme: Scheme): string {
  const target = scheme === 'light' ? 0 : 255;
  let channels = toChannels(accent);
  while (contrast(channels, toChannels(BACKGROUNDS[scheme])) < CONTRAST_MIN)
    channels = channels.map((value) => (target === 0 ? Math.max(0, value - 8) : Math.min(255, value + 8)));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function toChannels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** Returns the contrast ratio of WCAG 2, from 1 to 21. */
function contrast(a: readonly number[], b: readonly number[]): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
