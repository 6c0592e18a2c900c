/** Bundles the parts of the page that the first view of a table does not show. */
export { ConflictList } from './changes/conflict-list.js';
export { FilterBar } from './filter-bar.js';
export { OpenRecord } from './record/open-record.js';
export { EmptyTable } from './empty-table.js';
export { SelectedTools } from './selected-tools.js';
export { StagedBar } from './changes/staged-bar.js';
