import { lazyPart } from '../../ui/lazy-part.js';
import classes from './rows.module.css';

const load = () => import('./room-parts.js');

export const ConflictList = lazyPart(() => load().then((module) => module.ConflictList));
/** Conditions in the address are there at once: what stands below them does not move when they are. */
export const FilterBar = lazyPart(() => load().then((module) => module.FilterBar), <div className={classes.filters}><span className={classes.chip}><button type="button" disabled>…</button></span></div>);
export const OpenRecord = lazyPart(() => load().then((module) => module.OpenRecord));
export const SeedButton = lazyPart(() => load().then((module) => module.SeedButton));
export const SelectedTools = lazyPart(() => load().then((module) => module.SelectedTools), <div className={classes.tools} />);
