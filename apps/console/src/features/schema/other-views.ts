/**
 * Exports all views of the schema page except the tables from one module, so that they are loaded as one
 * chunk.
 */
export { ChangeEditor } from './editor/change-editor.js';
export { DeployView } from './deploy/deploy-view.js';
export { HistoryView } from './draft/history-view.js';
export { DescribeChangeForm } from './editor/describe-change-form.js';
