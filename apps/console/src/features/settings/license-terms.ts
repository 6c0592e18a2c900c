import type { License } from '@rowhouse/contracts';

/** Returns the SPDX identifier or the URL of a license. */
export function writeTerms({ identifier, url }: License): string {
  return identifier ?? url ?? '';
}

/** Returns the text of the field as a URL, if it is one, or as an SPDX identifier. */
export function readTerms(text: string): Pick<License, 'identifier' | 'url'> {
  return /^https?:/i.test(text) ? { url: text } : { identifier: text };
}
