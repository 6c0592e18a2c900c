import type { License } from '@rowhouse/contracts';

/** Returns the SPDX identifier or the URL of a license. */
export function writeTerms({ identifier, url }: License): string {
  return identifier ?? url ?? '';
}

/** Parses the text of the license field, either as a URL or as an SPDX identifier. */
export function readTerms(text: string): Pick<License, 'identifier' | 'url'> {
  return /^https?:/i.test(text) ? { url: text } : { identifier: text };
}
