import { useState } from 'react';
import { getCredentials, rotateCredentials, type DeploymentCredentials } from '@sluice/client';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { CopyField } from '@sluice/ui/copy.tsx';
import { Card, DescriptionList } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { FormerLogins } from './former-logins.tsx';
import styles from './connect.module.css';

const graces = [
  { key: '0', label: 'None: clients are disconnected at once' },
  { key: '3600', label: 'An hour' },
  { key: '86400', label: 'A day' },
  { key: '604800', label: 'A week' },
] as const;

interface LoginProps {
  login: DeploymentCredentials | undefined;
  onChange: (login: DeploymentCredentials | undefined) => void;
}

/** The login of clients. It is read when a person asks for it, which the audit log records, and forgotten with the page. */
export function Login({ login, onChange }: LoginProps) {
  const { path, place, supervisor, words } = useDeployment();
  const { deployment_id } = path;
  const [isPending, setPending] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const [grace, setGrace] = useState<string | null>('3600');
  const show = async () => {
    setPending(true);
    try {
      onChange((await getCredentials({ client: supervisor, path: { deployment_id } })).data);
    } catch (error) {
      toastError(error);
    }
    setPending(false);
  };
  return (
    <Card
      title="Login"
      actions={
        <AsCode
          command={['credentials', 'show', words]}
          request={{ method: 'GET', path: `/deployments/${deployment_id}/credentials`, layer: 'supervisor' }}
        />
      }
    >
      <div className={styles.login}>
        {login && (
          <DescriptionList
            items={[
              ['User', <CopyField key="user" value={login.username} label="the user" isInline />],
              ['Password', <CopyField key="password" value={login.password} label="the password" isInline />],
              ['Earlier logins', login.former && <FormerLogins former={login.former} />],
            ]}
          />
        )}
        <div className={layout.row}>
          <ActionButton
            action="readCredentials"
            on={place}
            isPending={isPending}
            onPress={() => (login ? onChange(undefined) : void show())}
          >
            {login && 'Hide the login'}
          </ActionButton>
          <ActionButton action="rotateCredentials" on={place} onPress={() => setRotating(true)} />
        </div>
      </div>
      <ConfirmDialog
        title="Rotate the login"
        isOpen={isRotating}
        onOpenChange={setRotating}
        action="Rotate"
        onConfirm={async () => {
          const body = { grace_seconds: Number(grace) };
          await rotateCredentials({ client: supervisor, path: { deployment_id }, body });
          toast('There is a new login');
          if (login) await show();
        }}
      >
        <div className={styles.login}>
          <p>User and password will be new. Clients have to be given them before the grace is over.</p>
          <Select label="Grace of the login before" options={graces} value={grace} onChange={setGrace} />
        </div>
      </ConfirmDialog>
    </Card>
  );
}
