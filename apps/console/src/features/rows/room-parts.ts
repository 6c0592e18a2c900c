/** Bundles the parts of the page that the first view of a table does not show. */
export { ConflictList } from './conflict-list.js';
export { FilterBar } from './filter-bar.js';
export { OpenRecord } from './open-record.js';
export { SeedButton } from './seed-button.js';
export { SelectedTools } from './selected-tools.js';
export { StagedBar } from './staged-bar.js';
