import type { ApiReference } from '@rowhouse/emitters/reference';

/** The addresses and the appearance that the gateway writes into the page. */
export interface DocsData {
  /** The path of this page, such as `/v1/-/docs/{slug}`. */
  readonly docs: string;
  readonly openapi: string;
  readonly title: string;
  readonly intro: string;
  readonly accent: string;
  /** The path of the logo. Empty without one. */
  readonly logo: string;
  /** The console's page that sends a key to this page. Empty if the gateway does not know the console. */
  readonly access: string;
}

export function readDocsData({ dataset }: HTMLElement): DocsData {
  const read = (name: string): string => dataset[name] ?? '';
  return {
    docs: read('docs'),
    openapi: read('openapi'),
    title: read('title'),
    intro: read('intro'),
    accent: read('accent'),
    logo: read('logo'),
    access: read('access'),
  };
}

/** Loads the reference. Throws an `Error` with a text for the reader. */
export async function loadReference({ docs }: DocsData): Promise<ApiReference> {
  const response = await fetch(`${docs}/reference.json`).catch(() => {
    throw new Error('Can’t reach the server. Check your connection and try again.');
  });
  if (response.ok) return (await response.json()) as ApiReference;
  if (response.status === 404)
    throw new Error(
      'The docs were turned off or have a new address. Ask the owner of the API for the current address.',
    );
  throw new Error(`The server returned the status ${response.status}. Try again in a few seconds.`);
}
