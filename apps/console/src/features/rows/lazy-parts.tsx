import { lazyPart } from '../../ui/loading/lazy-part.js';
import classes from './rows.module.css';

const load = () => import('./deferred-parts.js');

/**
 * A placeholder is shown at once if the URL has filters, so that the content below does not move when the bar
 * appears.
 */
export const FilterBar = lazyPart(
  () => load().then((module) => module.FilterBar),
  <div className={classes.filters}>
    <span className={classes.chip}>
      <button type="button" disabled>
        …
      </button>
    </span>
  </div>,
);
export const OpenRecord = lazyPart(() => load().then((module) => module.OpenRecord));
export const GridMenus = lazyPart(() => load().then((module) => module.GridMenus));
export const EmptyTable = lazyPart(() => load().then((module) => module.EmptyTable));
export const SelectedTools = lazyPart(
  () => load().then((module) => module.SelectedTools),
  <div className={classes.tools} />,
);
export const TableNotices = lazyPart(() => load().then((module) => module.TableNotices));
export const StagedBar = lazyPart(() => load().then((module) => module.StagedBar));
