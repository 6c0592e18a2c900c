import { lazyPart } from '../ui/loading/lazy-part.js';

/** The page for an unknown URL. It is loaded later, because few users ever see it. */
export const NotFoundScreen = lazyPart(() =>
  import('./not-found.js').then((module) => module.NotFoundScreen),
);

export const UnknownAddressScreen = lazyPart(() =>
  import('./not-found.js').then((module) => module.UnknownAddressScreen),
);
