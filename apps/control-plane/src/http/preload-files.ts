import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const screens = z.array(
  z.object({
    path: z.string(),
    page: z.string().optional(),
    wanted: z.array(z.object({ as: z.enum(['style', 'script', 'fetch']), href: z.string() })),
  }),
);
type Screen = z.infer<typeof screens>[number];

/** Matches the parts of a path that may be copied into a header. */
const PLAIN_PART = /^[\w-]{1,64}$/;

/**
 * Returns the files that the browser should load first for a console page, by its path (such as
 * `projects/prj_x/development/keys`). Returns undefined for an unknown path. `page` is the page's own HTML
 * file, if it does not use `index.html`. `links` is the value of the `Link` header with files to preload.
 * Without it, the browser would discover these files only after the first scripts run.
 */
export type FirstFiles = (
  path: string,
) => { readonly page: string | undefined; readonly links: string } | undefined;

/**
 * Reads `screens.json`, which the console's build writes next to its pages. A console without this file has
 * no preloads.
 */
export async function readFirstFiles(folder: string): Promise<FirstFiles> {
  const file = join(folder, 'screens.json');
  const known = existsSync(file)
    ? screens
        .parse(JSON.parse(await readFile(file, 'utf8')))
        .map((screen) => ({ screen, parts: splitPath(screen.path) }))
    : [];
  return (path) => {
    const parts = splitPath(path);
    const found = known.find(
      (item) =>
        item.parts.length === parts.length &&
        item.parts.every((part, index) => part.startsWith('$') || part === parts[index]),
    );
    return found === undefined
      ? undefined
      : {
          page: found.screen.page,
          links: writeLinks(
            found.screen,
            new Map(found.parts.map((part, index) => [part, parts[index] ?? ''])),
          ),
        };
  };
}

function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function writeLinks(screen: Screen, values: ReadonlyMap<string, string>): string {
  const links = screen.wanted.flatMap(({ as, href }) => {
    const address = as === 'fetch' ? fillCall(href, values) : href;
    if (address === undefined) return [];
    // The header uses `crossorigin`, like the page's tags and `fetch`. Otherwise the browser would request
    // the file twice.
    if (as !== 'script') return `<${address}>; rel=preload; as=${as}; crossorigin`;
    // A page with its own HTML file is readable without scripts, so its style sheet is listed first.
    return `<${address}>; rel=modulepreload${screen.page === undefined ? '' : '; fetchpriority=low'}`;
  });
  return links.join(', ');
}

/**
 * Replaces the parameters of an endpoint. Returns undefined when the path contains an invalid id; the
 * endpoint is then not preloaded.
 */
function fillCall(endpoint: string, values: ReadonlyMap<string, string>): string | undefined {
  const parts = endpoint.split('/').map((part) => (part.startsWith('$') ? (values.get(part) ?? '') : part));
  return parts.slice(1).every((part) => PLAIN_PART.test(part)) ? parts.join('/') : undefined;
}
