import type { PermissionChange, RoleSimulation } from '@sluice/client';
import layout from '@sluice/ui/layout.module.css';
import { placeText, withoutImplied } from '@sluice/console-core/lib/permission-text.ts';
import styles from './people.module.css';

/** What a person could do in addition, and what no more. */
export function PermissionChanges({ simulation: { gained, lost } }: { simulation: RoleSimulation }) {
  if (gained.length === 0 && lost.length === 0)
    return <p className={layout.muted}>Nothing changes in what they can do.</p>;
  return (
    <>
      <ChangeList changes={gained} mark="+" title="Can in addition" className={styles.gained} />
      <ChangeList changes={lost} mark="−" title="Cannot any more" className={styles.lost} />
    </>
  );
}

function ChangeList({
  changes,
  mark,
  title,
  className,
}: {
  changes: readonly PermissionChange[];
  mark: string;
  title: string;
  className: string | undefined;
}) {
  if (changes.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {changes.map((change) => (
          <li key={placeText(change)}>
            <span className={className} aria-hidden>
              {mark}
            </span>
            <span>
              <code>{withoutImplied(change.permissions).join(', ') || 'nothing of what holds above it'}</code>{' '}
              <span className={layout.muted}>{placeText(change)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
