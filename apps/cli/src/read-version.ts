import { readFileSync } from 'node:fs';

/** Returns the version of this package. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
