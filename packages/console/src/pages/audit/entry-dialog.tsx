import type { AuditEntry } from '@sluice/client';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Button } from '@sluice/ui/button.tsx';
import { CopyField } from '@sluice/ui/copy.tsx';
import { DescriptionList, Time } from '@sluice/ui/data.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { Note } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { authorOf, type LogFilter } from './entries.ts';
import styles from './audit.module.css';

interface EntryDialogProps {
  entry: AuditEntry;
  onClose: () => void;
  onFilter: (changes: LogFilter) => void;
}

/** All that one entry says, and ways to what belongs to it. */
export function EntryDialog({ entry, onClose, onFilter }: EntryDialogProps) {
  const { author, division, environment, deployment, correlation_id: request } = entry;
  const tenantId = useTenantId();
  return (
    <Dialog
      title={entry.name}
      isOpen
      wide
      onOpenChange={(isOpen) => !isOpen && onClose()}
      buttons={(close) => (
        <>
          {author && (
            <Button onPress={() => onFilter({ person: author.id })}>Only what {author.name} did</Button>
          )}
          <Button onPress={() => onFilter({ type: entry.type })}>Only this type</Button>
          <Button kind="primary" onPress={close}>
            Close
          </Button>
        </>
      )}
    >
      <div className={layout.closeStack}>
        {entry.unvalidated && (
          <Note>
            It is of a newer release, which this one does not know. It is shown as it came, and read after the
            upgrade.
          </Note>
        )}
        <DescriptionList
          items={[
            ['When', <Time key="time" at={entry.timestamp} isExact />],
            ['Type', <code key="type">{entry.type}</code>],
            ['Who', authorOf(entry)],
            ['Whom', entry.user?.name],
            ['Division', division?.name],
            ['Environment', environment?.name],
            [
              'Deployment',
              division && environment && deployment && (
                <Link
                  key="deployment"
                  to="/t/$tenantId/d/$divisionId/$environmentId/$deploymentId"
                  params={{
                    tenantId,
                    divisionId: division.id,
                    environmentId: environment.id,
                    deploymentId: deployment.id,
                  }}
                >
                  {deployment.name}
                </Link>
              ),
            ],
            ['Request', request && <CopyField key="request" value={request} label="request" isInline />],
          ]}
        />
        {request && (
          <p>
            <Link
              to="/t/$tenantId/audit/requests/$correlationId"
              params={{ tenantId, correlationId: request }}
              search={division ? { division: division.id } : {}}
            >
              Show all that this request has caused
            </Link>
          </p>
        )}
        {entry.data !== null && (
          // it scrolls, so keys have to reach it
          <pre className={styles.data} tabIndex={0} aria-label="Data">
            {JSON.stringify(entry.data, null, 2)}
          </pre>
        )}
      </div>
    </Dialog>
  );
}
