import { DialogFrame } from '../../ui/dialog-frame.js';
import classes from './tools.module.css';

const KEYS: readonly [keys: readonly string[], does: string][] = [
  [['↑', '↓', '←', '→'], 'go to a cell; with Ctrl to the edge'],
  [['Home', 'End'], 'first and last column; with Ctrl first and last row'],
  [['Alt', '←', '→'], 'make the column narrower or wider'],
  [['Enter', 'F2'], 'edit the cell, or just type'],
  [['Esc'], 'leave the cell as it was'],
  [['Tab'], 'keep what was typed and go right'],
  [['Delete'], 'set NULL'],
  [['Ctrl', 'Enter'], 'open the whole record'],
  [['Space'], 'select the row; Ctrl A selects all that were read'],
  [['Ctrl', 'Delete'], 'delete the row, or all that are selected'],
  [['Shift', '↑', '↓', '←', '→'], 'mark a block of cells; Esc leaves it'],
  [['Ctrl', 'C'], 'copy the cell or the block'],
  [['Ctrl', 'V'], 'paste a cell or a block of them'],
  [['Ctrl', 'Z'], 'undo the last change'],
  [['Ctrl', 'S'], 'save'],
];

export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <DialogFrame opened={opened} onClose={onClose} title="Keys of the grid">
      <dl className={classes.keys}>
        {KEYS.map(([keys, does]) => (
          <div key={does} style={{ display: 'contents' }}>
            <dt>{keys.map((key) => <span key={key}><kbd>{key}</kbd> </span>)}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </DialogFrame>
  );
}
