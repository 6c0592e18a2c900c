/** The views of the schema behind the tables, in one file. */
export { ChangeEditor } from './change-editor.js';
export { DeployView } from './deploy-view.js';
export { HistoryView } from './history-view.js';
export { WordsForm } from './words-form.js';
