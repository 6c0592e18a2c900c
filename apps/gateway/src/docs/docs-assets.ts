export interface DocsAsset {
  /** Behind `assetsPath/`. */
  readonly name: string;
  readonly contentType: string;
  readonly file: string;
}

/** Everything that the docs page loads; nothing else of the package is served. */
export const docsAssets: readonly DocsAsset[] = [];
