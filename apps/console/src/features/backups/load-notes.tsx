import classes from './backups.module.css';

/** Lists what a load or restore changed or left out. Shows nothing when there is nothing to report. */
export function LoadNotes({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <div className={classes.notes} role="note" aria-label="Notes">
      <strong>Check these points</strong>
      <ul>
        {[...new Set(notes)].map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}
