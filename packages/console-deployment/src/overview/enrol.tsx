import { useState } from 'react';
import { createNodeEnrolment, type NodeEnrolment } from '@sluice/client';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { CodeBlock } from '@sluice/ui/code.tsx';
import { CopyField } from '@sluice/ui/copy.tsx';
import { DescriptionList, Time } from '@sluice/ui/data.tsx';
import { Dialog } from '@sluice/ui/dialog.tsx';
import { toastError } from '@sluice/ui/toast.tsx';
import { useDeployment } from '../deployment-context.ts';
import styles from './overview.module.css';

/** Makes the command that a machine of the customer becomes a node by. It holds a secret, so it is forgotten when it is closed. */
export function Enrol({ node }: { node: { id: number; name: string } }) {
  const { path, place, supervisor, words } = useDeployment();
  const { deployment_id } = path;
  const [enrolment, setEnrolment] = useState<NodeEnrolment>();
  const [isPending, setPending] = useState(false);
  const make = async () => {
    setPending(true);
    try {
      const call = { client: supervisor, path: { deployment_id, node_id: node.id } };
      setEnrolment((await createNodeEnrolment(call)).data);
    } catch (error) {
      toastError(error);
    }
    setPending(false);
  };
  return (
    <span className={styles.buttons}>
      <ActionButton
        action="enrolNode"
        on={place}
        size="small"
        isPending={isPending}
        onPress={() => void make()}
      />
      <AsCode
        command={['byoc', 'enrol', node.name, words]}
        request={{
          method: 'POST',
          path: `/deployments/${deployment_id}/nodes/${node.id}/enrolment`,
          layer: 'supervisor',
        }}
      />
      {enrolment && (
        <Dialog
          title={`Enrol ${node.name}`}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setEnrolment(undefined)}
          wide
        >
          <p>Run this on the machine as root. It can be used once, and one made before is void.</p>
          <CodeBlock code={enrolment.command} label="the command" />
          <DescriptionList
            items={[
              ['Machine', enrolment.platform],
              [
                'SHA-256 of the programs',
                <CopyField key="sum" value={enrolment.checksum} label="the checksum" isInline />,
              ],
              ['Valid until', <Time key="end" at={enrolment.expires_at} />],
            ]}
          />
        </Dialog>
      )}
    </span>
  );
}
