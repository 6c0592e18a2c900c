import { basename, dirname } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { listFirstCalls, SCREEN_MODULES } from '../screen-modules.js';

/** What a server that sends a screen's page can have fetched along with it. Read by the control plane. */
interface FirstFiles {
  readonly path: string;
  /** Modules and sheets below the root, without those that the page itself names. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Calls of the control API that the screen begins with; `$name` is a part of the path. */
  readonly calls: readonly string[];
}

/** Writes `screens.json` beside `index.html`. */
export function tellFirstFiles(): Plugin {
  return {
    name: 'tell-first-files',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(listFirstFiles(chunks)) });
    },
  };
}

type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'isEntry' | 'imports' | 'facadeModuleId' | 'viteMetadata'>;

/** Throws where a screen has no chunk: then a module was renamed and the table of screens was not. */
export function listFirstFiles(chunks: readonly Chunk[]): FirstFiles[] {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const screens = new Map(chunks.flatMap((chunk) => (isScreen(chunk.facadeModuleId) ? [[basename(chunk.facadeModuleId, '.tsx'), chunk] as const] : [])));
  const named = gather(chunks.filter((chunk) => chunk.isEntry), byFile);
  return Object.entries(SCREEN_MODULES).map(([path, modules]) => {
    const needed = gather(modules.map((name) => find(screens, name)), byFile);
    const own = [...needed].filter((chunk) => !named.has(chunk));
    return { path, scripts: own.map((chunk) => chunk.fileName), styles: own.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]), calls: listFirstCalls(path) };
  });
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
