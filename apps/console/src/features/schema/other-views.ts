/** Bundles the schema views other than the tables into one chunk. */
export { ChangeEditor } from './editor/change-editor.js';
export { DeployView } from './deploy/deploy-view.js';
export { HistoryView } from './draft/history-view.js';
export { VocabularyForm } from './editor/describe-change-form.js';
