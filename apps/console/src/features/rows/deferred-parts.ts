/** Exports the components that are not visible when a table is opened, so that they are loaded later. */
export { GridMenus } from './menus/grid-menus.js';
export { FilterBar } from './filter-bar.js';
export { OpenRecord } from './record/open-record.js';
export { EmptyTable } from './empty-table.js';
export { SelectedTools } from './selected-tools.js';
export { TableNotices } from './table-notices.js';
export { StagedBar } from './changes/staged-bar.js';
