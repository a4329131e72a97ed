import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { deleteTenant, leaveTenant, requestProtectionCode, type Tenant } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { ownTenantsQuery } from '@sluice/console-core/api/queries.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';

/** To the list of organizations, as this one is none of the person's any more. */
function useGone(): (said: string) => Promise<void> {
  const navigate = useNavigate();
  return async (said) => {
    toast(said);
    await navigate({ to: '/organizations' });
    await queryClient.invalidateQueries({ queryKey: ownTenantsQuery.queryKey });
  };
}

/** Deletes the organization, after its name and, where it is protected, the code. For its owner. */
export function DeleteCard({ tenant }: { tenant: Tenant }) {
  const [isAsked, setAsked] = useState(false);
  const gone = useGone();
  const path = { tenant_id: tenant.id };
  return (
    <Card title="Delete">
      <div className={layout.closeStack}>
        <p className={layout.muted}>
          Deletes the organization with its divisions, members, keys and audit log. Its deployments have to be
          gone and its invoices settled before.
        </p>
        <div className={layout.row}>
          <Button kind="danger" onPress={() => setAsked(true)}>
            Delete the organization
          </Button>
          <AsCode
            command={['tenants', 'delete']}
            request={{ method: 'DELETE', path: `/tenants/${tenant.id}` }}
          />
        </div>
      </div>
      <ConfirmDialog
        title={`Delete ${tenant.name}`}
        isOpen={isAsked}
        onOpenChange={setAsked}
        action="Delete"
        name={tenant.name}
        requestCode={
          tenant.protected
            ? async () => {
                await requestProtectionCode({
                  client,
                  path,
                  body: { action: { action_type: 'delete_tenant', payload: path } },
                });
              }
            : undefined
        }
        onConfirm={async (code) => {
          await deleteTenant({ client, path, query: code === undefined ? {} : { code } });
          await gone(`${tenant.name} is deleted`);
        }}
      >
        Everything in it is deleted for good. No key of it is accepted any more.
      </ConfirmDialog>
    </Card>
  );
}

/** Ends the person's own membership. */
export function LeaveCard({ tenant }: { tenant: Tenant }) {
  const [isAsked, setAsked] = useState(false);
  const gone = useGone();
  return (
    <Card title="Leave">
      <div className={layout.closeStack}>
        <p className={layout.muted}>Ends your membership. The API keys that act as you are deleted.</p>
        <div className={layout.row}>
          <Button onPress={() => setAsked(true)}>Leave the organization</Button>
          <AsCode
            command={['tenants', 'leave']}
            request={{ method: 'DELETE', path: `/tenants/${tenant.id}/membership` }}
          />
        </div>
      </div>
      <ConfirmDialog
        title={`Leave ${tenant.name}`}
        isOpen={isAsked}
        onOpenChange={setAsked}
        action="Leave"
        name={tenant.name}
        onConfirm={async () => {
          await leaveTenant({ client, path: { tenant_id: tenant.id } });
          await gone(`You have left ${tenant.name}`);
        }}
      >
        You can come back by an invitation only.
      </ConfirmDialog>
    </Card>
  );
}
