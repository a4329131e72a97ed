import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { deleteDeployment, requestProtectionCode } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { deploymentPath } from '../place.ts';
import { refresh } from '../queries.ts';

/** Deletes the deployment, after its name and, where it is protected, the code. */
export function DangerCard() {
  const open = useDeployment();
  const { deployment, path, place, params, words } = open;
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  return (
    <Card title="Delete">
      <div className={layout.closeStack}>
        <p className={layout.muted}>
          Deletes the deployment with its streams, backups and settings. Nothing of it can be brought back.
        </p>
        <div className={layout.row}>
          <ActionButton
            action="deleteDeployment"
            on={place}
            kind="danger"
            isDisabled={deployment.status === 'deleting'}
            onPress={() => setAsked(true)}
          />
          <AsCode
            command={['deployments', 'delete', words]}
            request={{ method: 'DELETE', path: deploymentPath(path) }}
          />
        </div>
      </div>
      <ConfirmDialog
        title={`Delete ${deployment.name}`}
        isOpen={isAsked}
        onOpenChange={setAsked}
        action="Delete"
        name={deployment.name}
        requestCode={
          deployment.protected
            ? async () => {
                await requestProtectionCode({
                  client,
                  path: { tenant_id: path.tenant_id },
                  body: { action: { action_type: 'delete_deployment', payload: path } },
                });
              }
            : undefined
        }
        onConfirm={async (code) => {
          await deleteDeployment({ client, path, query: code === undefined ? {} : { code } });
          toast(`${deployment.name} is being deleted`);
          await refresh(open);
          await navigate({ to: '/t/$tenantId/deployments', params: { tenantId: params.tenantId } });
        }}
      >
        Its streams and everything else in it are deleted for good, and its clients are disconnected.
      </ConfirmDialog>
    </Card>
  );
}
