/** Parts of the room that a first look at a table does not show, in one file. */
export { ConflictList } from './conflict-list.js';
export { FilterBar } from './filter-bar.js';
export { OpenRecord } from './open-record.js';
export { SeedButton } from './seed-button.js';
export { SelectedTools } from './selected-tools.js';
