import { CopyButton } from './copy-button.js';
import classes from './secret-box.module.css';

/** Shows a secret that cannot be shown again. */
export function SecretBox({ secret, label, note }: { secret: string; label: string; note: string }) {
  return (
    <div className={classes.box}>
      <div className={classes.row}>
        <output className={classes.secret} aria-label={label}>
          {secret}
        </output>
        <CopyButton text={secret} label={`Copy ${label}`} caption="Copy" />
      </div>
      <p>{note}</p>
    </div>
  );
}
