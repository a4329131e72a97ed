import { useState } from 'react';
import { rotateCertificates, type Certificates } from '@sluice/client';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { saveFile } from '@sluice/ui/lib/save-file.ts';
import { Button } from '@sluice/ui/button.tsx';
import { CopyField } from '@sluice/ui/copy.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import styles from './connect.module.css';

/** What the deployment proves itself by, and the authority that clients trust. */
export function Certificate({ certificates }: { certificates: Certificates | undefined }) {
  const { deployment, path, place, supervisor, words } = useDeployment();
  const { deployment_id } = path;
  const [isPending, setPending] = useState(false);
  const rotate = async () => {
    setPending(true);
    await rotateCertificates({ client: supervisor, path: { deployment_id } }).then(
      () => toast('The certificate is being replaced', 'Connections stay.'),
      toastError,
    );
    setPending(false);
  };
  if (!certificates || certificates.serial === null) return null;
  const { authority, serial, not_before: start, not_after: end } = certificates;
  return (
    <Card
      title="Certificate"
      actions={
        <AsCode
          command={['certificates', 'show', words]}
          request={{ method: 'GET', path: `/deployments/${deployment_id}/certificates`, layer: 'supervisor' }}
        />
      }
    >
      <div className={styles.login}>
        <DescriptionList
          items={[
            ['Serial', <CopyField key="serial" value={serial} label="the serial" isInline />],
            ['In force since', <Time key="start" at={start} />],
            ['Ends', <Time key="end" at={end} />],
          ]}
        />
        <div className={layout.row}>
          {authority !== null && (
            <Button onPress={() => saveFile(`${deployment.name}-ca.pem`, authority)}>
              Download the authority
            </Button>
          )}
          <ActionButton
            action="rotateCertificates"
            on={place}
            isPending={isPending}
            onPress={() => void rotate()}
          />
        </div>
      </div>
    </Card>
  );
}
