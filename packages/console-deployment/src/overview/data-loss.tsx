import { useState } from 'react';
import { acceptDataLoss, type LiveDeployment } from '@sluice/client';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { lostNodes } from '@sluice/console-core/lib/conditions.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { PartialState } from '@sluice/ui/feedback.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import styles from './overview.module.css';

/** Nodes that hold nothing any more: they start empty only when a person says so. */
export function DataLoss({ live }: { live: LiveDeployment | undefined }) {
  const { path, place, layer, supervisor, words } = useDeployment();
  const [asked, setAsked] = useState<LiveDeployment['nodes'][number]>();
  const lost = lostNodes(live?.status_reason ?? null, live?.nodes ?? []);
  if (lost.length === 0) return null;
  const { deployment_id, tenant_id } = path;
  return (
    <PartialState>
      <div className={layout.tightStack}>
        <p>
          The data of {lost.map(({ name }) => name).join(', ')} is gone. Bring it back, or let the node start
          empty.
        </p>
        <div className={styles.buttons}>
          {lost.map((node) => (
            <span key={node.id}>
              <ActionButton action="acceptDataLoss" on={place} size="small" onPress={() => setAsked(node)}>
                Accept the loss of {node.name}
              </ActionButton>
              <AsCode
                command={['nodes', 'accept-loss', node.name, words]}
                request={{
                  method: 'POST',
                  path: `/deployments/${deployment_id}/nodes/${node.id}/accept_data_loss`,
                }}
              />
            </span>
          ))}
        </div>
      </div>
      {asked && (
        <ConfirmDialog
          title="Accept the loss of data"
          isOpen
          onOpenChange={(isOpen) => !isOpen && setAsked(undefined)}
          action="Let it start empty"
          name={asked.name}
          onConfirm={async () => {
            await acceptDataLoss({ client: supervisor, path: { deployment_id, node_id: asked.id } });
            toast(`${asked.name} starts empty`);
            await queryClient.invalidateQueries({
              queryKey: [layer, tenant_id, 'deployment', deployment_id],
            });
          }}
        >
          What {asked.name} held is given up for good. In a cluster it takes over what the others hold.
        </ConfirmDialog>
      )}
    </PartialState>
  );
}
