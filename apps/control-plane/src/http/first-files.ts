import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const screens = z.array(z.object({ path: z.string(), wanted: z.array(z.object({ as: z.enum(['style', 'script', 'fetch']), href: z.string() })) }));
type Screen = z.infer<typeof screens>[number];

/** What may stand in a header as a part of an address, as it came. */
const PLAIN_PART = /^[\w-]{1,64}$/;

/**
 * What a browser shall fetch along with the page of a path (`projects/prj_x/development/keys`): the value of its `Link` header,
 * undefined where nothing is known. By a look into the page alone it would learn of these files only once the first scripts run.
 */
export type FirstFiles = (path: string) => string | undefined;

/** From `screens.json`, which the console's build writes beside its pages; a console without one is served without such a header. */
export async function readFirstFiles(folder: string): Promise<FirstFiles> {
  const file = join(folder, 'screens.json');
  const known = existsSync(file) ? screens.parse(JSON.parse(await readFile(file, 'utf8'))).map((screen) => ({ screen, parts: splitPath(screen.path) })) : [];
  return (path) => {
    const parts = splitPath(path);
    const found = known.find((one) => one.parts.length === parts.length && one.parts.every((part, at) => part.startsWith('$') || part === parts[at]));
    return found === undefined ? undefined : writeLinks(found.screen, new Map(found.parts.map((part, at) => [part, parts[at] ?? ''])));
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
    return as === 'script' ? `<${address}>; rel=modulepreload` : `<${address}>; rel=preload; as=${as}; crossorigin`;
  });
  return links.join(', ');
}

/** Undefined where the path holds what is no id: that is not asked for ahead. */
function fillCall(call: string, values: ReadonlyMap<string, string>): string | undefined {
  const parts = call.split('/').map((part) => (part.startsWith('$') ? (values.get(part) ?? '') : part));
  return parts.slice(1).every((part) => PLAIN_PART.test(part)) ? parts.join('/') : undefined;
}
