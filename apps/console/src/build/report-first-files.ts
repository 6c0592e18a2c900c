import { basename } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { listFirstCalls, SCREEN_MODULES } from '../screen-modules.js';
import { nameFirstPage } from './write-first-pages.js';

/**
 * The files that the server can preload together with a screen's page. The control plane reads this list from
 * `screens.json`.
 */
interface FirstFiles {
  readonly path: string;
  /** The HTML file of the screen, if it is not `index.html`. */
  readonly page?: string | undefined;
  /**
   * The style sheet, the scripts and the control API calls to load first, in this order. `$name` is a
   * placeholder for a part of the path. Files that all pages need come first. With HTTP/1.1, a browser loads
   * six files at a time in this order. No script runs before the largest file has arrived.
   */
  readonly wanted: readonly { readonly as: 'style' | 'script' | 'fetch'; readonly href: string }[];
}

/** Writes `screens.json` next to `index.html`. */
export function reportFirstFiles(): Plugin {
  return {
    name: 'tell-first-files',
    // Runs after the other plugins, because the style sheet is emitted last.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const chunks = files.filter((file) => file.type === 'chunk');
        const sheets = files.map(({ fileName }) => fileName).filter((name) => name.endsWith('.css'));
        this.emitFile({
          type: 'asset',
          fileName: 'screens.json',
          source: JSON.stringify(listFirstFiles(chunks, sheets)),
        });
      },
    },
  };
}

type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'isEntry' | 'imports' | 'facadeModuleId' | 'code'>;

/**
 * Lists the files of each screen. Throws if a screen has no chunk, which happens if its module was renamed
 * but not its entry in the route table.
 */
export function listFirstFiles(chunks: readonly Chunk[], sheets: readonly string[]): FirstFiles[] {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const screens = new Map(
    chunks.flatMap((chunk) =>
      isScreen(chunk.facadeModuleId) ? [[basename(chunk.facadeModuleId, '.tsx'), chunk] as const] : [],
    ),
  );
  const always = gather(
    chunks.filter((chunk) => chunk.isEntry),
    byFile,
  );
  return Object.entries(SCREEN_MODULES).map(([path, modules]) => {
    const own = [
      ...gather(
        modules.map((name) => find(screens, name)),
        byFile,
      ),
    ].filter((chunk) => !always.has(chunk));
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

/** Lists the scripts. The largest file comes first, because its download takes longest. */
function listScripts(chunks: readonly Chunk[]): FirstFiles['wanted'] {
  return [...chunks]
    .sort((a, b) => b.code.length - a.code.length)
    .map((chunk) => ({ as: 'script', href: `/${chunk.fileName}` }));
}

function isScreen(id: string | null): id is string {
  return id !== null && /\/src\/routes\//.test(id);
}

function find(screens: ReadonlyMap<string, Chunk>, name: string): Chunk {
  const chunk = screens.get(name);
  if (chunk === undefined)
    throw new Error(
      `The build created no chunk for routes/${name}.tsx. Check its path in src/screen-modules.ts.`,
    );
  return chunk;
}

/** Returns these chunks and all chunks that they import statically. */
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
