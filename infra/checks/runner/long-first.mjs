import { BaseSequencer } from 'vitest/node';

/**
 * Returns a Vitest sequencer that starts the named slow files first, so that no slow file runs alone at the
 * end.
 * @param {readonly string[]} longFiles the ends of their paths
 */
export function longFirst(longFiles) {
  /** @param {import('vitest/node').TestSpecification} file */
  const rankOf = ({ moduleId }) => {
    const index = longFiles.findIndex((name) => moduleId.endsWith(`/${name}`));
    return index < 0 ? longFiles.length : index;
  };
  return class LongFirst extends BaseSequencer {
    /** @override @param {import('vitest/node').TestSpecification[]} files */
    async sort(files) {
      const sorted = await super.sort(files);
      return sorted.toSorted((left, right) => rankOf(left) - rankOf(right));
    }
  };
}
