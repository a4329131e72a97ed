import { listKeys, shortcuts } from '@sluice/console-core/lib/shortcuts.ts';
import { Dialog } from '@sluice/ui/dialog.tsx';
import styles from './palette.module.css';

/** The keys of the console. */
export function KeyHelp({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onOpenChange={onOpenChange}>
      <ul className={styles.keys}>
        {[...Object.values(shortcuts), ...listKeys].map(({ shown, does }) => (
          <li key={shown}>
            <span>{does}</span>
            <kbd>{shown}</kbd>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
