// @ts-check
/**
 * Writes docs/errors.md from the table of error codes. `node docs/generate-errors.mjs` after a build;
 * a test compares the file with what this makes.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const table = new URL('../libs/errors/dist/index.js', import.meta.url);
const target = fileURLToPath(new URL('errors.md', import.meta.url));

/** @returns {Promise<string>} the whole file */
export async function renderErrors() {
  const { ERROR_CODES } = /** @type {{ ERROR_CODES: Record<string, { status: number, text: string }> }} */ (
    await import(table.href)
  );
  /** @type {Map<string, string[]>} */
  const areas = new Map();
  for (const [code, { status, text }] of Object.entries(ERROR_CODES)) {
    const area = code.split('.')[0] ?? '';
    areas.set(area, [
      ...(areas.get(area) ?? []),
      `| \`${code}\` | ${status} | ${text.replaceAll('|', '\\|')} |`,
    ]);
  }
  return [
    '# Error codes',
    '',
    '<!-- Made by docs/generate-errors.mjs from libs/errors. Do not edit. -->',
    '',
    'Every error answer is `{"detail", "code", "request_id", "hint"?}`. `detail` is a sentence, on 422 a list of',
    '`{"loc", "msg", "type"}`. With `Accept: application/problem+json` the same comes in the form of RFC 9457.',
    'A 500 is a defect of ours, never an answer to what you sent; give its `request_id` when you report it.',
    '',
    ...[...areas].flatMap(([area, rows]) => [
      `## ${area}`,
      '',
      '| Code | Status | Means |',
      '|---|---|---|',
      ...rows,
      '',
    ]),
  ].join('\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(target, await renderErrors());
