import type { Plugin } from 'vite';

const MODULE = /@mantine[\\/]hooks[\\/]esm[\\/]use-id[\\/]use-id\.mjs$/;

const OWN = `import { useId as useReactId } from 'react';
export function useId(given) {
  const made = useReactId();
  return typeof given === 'string' ? given : 'mantine-' + made.replace(/:/g, '');
}
`;

/**
 * Ids of fields, tabs and menus stay what they are made with. The library puts random ones in their place as soon as they are on the
 * page, all at once: each of its components is made twice then, before a tap is heard. It does so for pages that a server has
 * drawn, whose ids have to agree with the browser's at first; ours are drawn in the browser alone.
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
      if (error === undefined && !wasFound) this.error('The module that makes the ids of @mantine/hooks is no longer where it was');
    },
  };
}
