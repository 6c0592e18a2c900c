/** Bundles the schema views other than the tables into one chunk. */
export { ChangeEditor } from './change-editor.js';
export { DeployView } from './deploy-view.js';
export { HistoryView } from './history-view.js';
export { VocabularyForm } from './vocabulary-form.js';
