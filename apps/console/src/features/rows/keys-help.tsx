import { DialogFrame } from '../../ui/dialogs/dialog-frame.js';
import classes from './tools.module.css';

const KEYS: readonly [keys: readonly string[], does: string][] = [
  [['↑', '↓', '←', '→'], 'Move to a cell; with Ctrl to the edge'],
  [['Home', 'End'], 'First and last column; with Ctrl first and last row'],
  [['Alt', '←', '→'], 'Resize column'],
  [['Enter', 'F2'], 'Edit the cell (or just type)'],
  [['Esc'], 'Cancel editing'],
  [['Tab'], 'Save and move right'],
  [['Delete'], 'Set to NULL'],
  [['Ctrl', 'Enter'], 'Open the row'],
  [['Shift', 'F10'], 'Open the cell menu'],
  [['Alt', '↓'], 'Open the column menu'],
  [['Space'], 'Select the row; Ctrl A selects all loaded rows'],
  [['Ctrl', 'Delete'], 'Delete the row or the selected rows'],
  [['Shift', '↑', '↓', '←', '→'], 'Select a range; Esc clears it'],
  [['Ctrl', 'C'], 'Copy the cell or range'],
  [['Ctrl', 'V'], 'Paste a cell or range'],
  [['Ctrl', 'Z'], 'Undo the last change'],
  [['Ctrl', 'S'], 'Save'],
];

export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <DialogFrame opened={opened} onClose={onClose} title="Keyboard shortcuts">
      <dl className={classes.keys}>
        {KEYS.map(([keys, does]) => (
          <div key={does} style={{ display: 'contents' }}>
            <dt>
              {keys.map((key) => (
                <span key={key}>
                  <kbd>{key}</kbd>{' '}
                </span>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </DialogFrame>
  );
}
