import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const screens = z.array(z.object({ path: z.string(), page: z.string().optional(), wanted: z.array(z.object({ as: z.enum(['style', 'script', 'fetch']), href: z.string() })) }));
type Screen = z.infer<typeof screens>[number];

/** What may stand in a header as a part of an address, as it came. */
const PLAIN_PART = /^[\w-]{1,64}$/;

/**
 * What a screen begins with, by its path (`projects/prj_x/development/keys`); undefined where nothing is known.
 * `page`: the file of its own in place of `index.html`, if it has one. `links`: the value of the `Link` header, which names what a
 * browser shall fetch along with it: by a look into the page alone it would learn of these files only once the first scripts run.
 */
export type FirstFiles = (path: string) => { readonly page: string | undefined; readonly links: string } | undefined;

/** From `screens.json`, which the console's build writes beside its pages; a console without one has neither. */
export async function readFirstFiles(folder: string): Promise<FirstFiles> {
  const file = join(folder, 'screens.json');
  const known = existsSync(file) ? screens.parse(JSON.parse(await readFile(file, 'utf8'))).map((screen) => ({ screen, parts: splitPath(screen.path) })) : [];
  return (path) => {
    const parts = splitPath(path);
    const found = known.find((one) => one.parts.length === parts.length && one.parts.every((part, at) => part.startsWith('$') || part === parts[at]));
    return found === undefined ? undefined : { page: found.screen.page, links: writeLinks(found.screen, new Map(found.parts.map((part, at) => [part, parts[at] ?? '']))) };
  };
}

function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function writeLinks(screen: Screen, values: ReadonlyMap<string, string>): string {
  const links = screen.wanted.flatMap(({ as, href }) => {
    const address = as === 'fetch' ? fillCall(href, values) : href;
    if (address === undefined) return [];
    // `crossorigin` as on the page's own tags and as `fetch` asks: anything else would be fetched a second time.
    if (as !== 'script') return `<${address}>; rel=preload; as=${as}; crossorigin`;
    // A page of its own can be read without them: they leave the line to its sheet.
    return `<${address}>; rel=modulepreload${screen.page === undefined ? '' : '; fetchpriority=low'}`;
  });
  return links.join(', ');
}

/** Undefined where the path holds what is no id: that is not asked for ahead. */
function fillCall(call: string, values: ReadonlyMap<string, string>): string | undefined {
  const parts = call.split('/').map((part) => (part.startsWith('$') ? (values.get(part) ?? '') : part));
  return parts.slice(1).every((part) => PLAIN_PART.test(part)) ? parts.join('/') : undefined;
}
