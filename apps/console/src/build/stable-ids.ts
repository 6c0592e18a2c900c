import type { Plugin } from 'vite';

const MODULE = /@mantine[\\/]hooks[\\/]esm[\\/]use-id[\\/]use-id\.mjs$/;

const OWN = `import { useId as useReactId } from 'react';
export function useId(given) {
  const made = useReactId();
  return typeof given === 'string' ? given : 'mantine-' + made.replace(/:/g, '');
}
`;

/**
 * A plugin that keeps the ids of fields, tabs and menus unchanged. Mantine replaces them with random ids
 * after mounting, so each component renders twice. It does so for pages rendered on a server, whose first ids
 * must match those of the server. The console is rendered only in the browser.
 */
export function stableIds(): Plugin {
  let wasFound = false;
  return {
    name: 'stable-ids',
    apply: 'build',
    load: {
      filter: { id: MODULE },
      handler() {
        wasFound = true;
        return OWN;
      },
    },
    buildEnd(error) {
      if (error === undefined && !wasFound)
        this.error('The module that creates the IDs of @mantine/hooks is not at its expected path');
    },
  };
}
