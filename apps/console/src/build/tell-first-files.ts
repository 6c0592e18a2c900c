import { basename, dirname } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { listFirstCalls, SCREEN_MODULES } from '../screen-modules.js';
import { nameFirstPage } from './write-first-pages.js';

/** What a server that sends a screen's page can have fetched along with it. Read by the control plane. */
interface FirstFiles {
  readonly path: string;
  /** In place of `index.html`. */
  readonly page?: string | undefined;
  /**
   * The sheet, modules and calls of the control API, `$name` being a part of the path. What every page begins with comes first: a
   * browser that speaks HTTP/1.1 fetches six at a time, in this order, and nothing begins before the largest of these is there.
   */
  readonly wanted: readonly { readonly as: 'style' | 'script' | 'fetch'; readonly href: string }[];
}

/** Writes `screens.json` beside `index.html`. */
export function tellFirstFiles(): Plugin {
  return {
    name: 'tell-first-files',
    // The sheet is there last.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const chunks = files.filter((file) => file.type === 'chunk');
        const sheets = files.map(({ fileName }) => fileName).filter((name) => name.endsWith('.css'));
        this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(listFirstFiles(chunks, sheets)) });
      },
    },
  };
}

type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'isEntry' | 'imports' | 'facadeModuleId' | 'code'>;

/** Throws where a screen has no chunk: then a module was renamed and the table of screens was not. */
export function listFirstFiles(chunks: readonly Chunk[], sheets: readonly string[]): FirstFiles[] {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const screens = new Map(chunks.flatMap((chunk) => (isScreen(chunk.facadeModuleId) ? [[basename(chunk.facadeModuleId, '.tsx'), chunk] as const] : [])));
  const always = gather(chunks.filter((chunk) => chunk.isEntry), byFile);
  return Object.entries(SCREEN_MODULES).map(([path, modules]) => {
    const own = [...gather(modules.map((name) => find(screens, name)), byFile)].filter((chunk) => !always.has(chunk));
    return {
      path,
      page: nameFirstPage(path),
      wanted: [
        ...sheets.map((name) => ({ as: 'style' as const, href: `/${name}` })),
        ...listScripts([...always]),
        ...listFirstCalls(path).map((href) => ({ as: 'fetch' as const, href })),
        ...listScripts(own),
      ],
    };
  });
}

/** The largest first: it is there last. */
function listScripts(chunks: readonly Chunk[]): FirstFiles['wanted'] {
  return [...chunks].sort((a, b) => b.code.length - a.code.length).map((chunk) => ({ as: 'script', href: `/${chunk.fileName}` }));
}

function isScreen(id: string | null): id is string {
  return id !== null && basename(dirname(id)) === 'routes';
}

function find(screens: ReadonlyMap<string, Chunk>, name: string): Chunk {
  const chunk = screens.get(name);
  if (chunk === undefined) throw new Error(`No chunk was made of routes/${name}.tsx: does src/screen-modules.ts tell of it as it is called now?`);
  return chunk;
}

/** These and all that they need before they can begin. */
function gather(starts: readonly Chunk[], byFile: ReadonlyMap<string, Chunk>): Set<Chunk> {
  const found = new Set(starts);
  for (const chunk of found) {
    for (const name of chunk.imports) {
      const needed = byFile.get(name);
      if (needed !== undefined) found.add(needed);
    }
  }
  return found;
}
