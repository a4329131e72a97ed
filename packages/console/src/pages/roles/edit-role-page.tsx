import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { createRole, getRole, updateRole, type PermissionsDetail, type RoleDetail } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { edited, versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import {
  grantsOf,
  inheritedBy,
  isAt,
  permissionsOf,
  withGrant,
  withLevel,
  type Grant,
} from '@sluice/console-core/lib/permission-grid.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useMeanwhile } from '@sluice/console-core/parts/meanwhile.tsx';
import { PermissionGrid } from '@sluice/console-core/parts/permission-grid.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { catalogueQuery, refreshKinds } from '../people/queries.ts';
import { AddOverride } from './add-override.tsx';
import { roleQuery } from './queries.ts';
import { useRoleCrumbs } from './role-crumbs.tsx';
import { TryRole } from './try-role.tsx';
import styles from './roles.module.css';

const newRoute = getRouteApi('/t/$tenantId/roles/new');
const editRoute = getRouteApi('/t/$tenantId/roles/$roleId/edit');

const nothing: PermissionsDetail = { tenant: [], division: [], environment: [], divisions: {} };

/** Makes a role, beginning with what another one grants if the address names one. */
export function NewRolePage() {
  const { tenantId } = newRoute.useParams();
  const { like } = newRoute.useSearch();
  const { data, error, refetch } = useQuery({
    ...roleQuery(tenantId, like ?? 0),
    enabled: like !== undefined,
  });
  useRoleCrumbs(tenantId, 'New role');
  if (like !== undefined && !data) return <Waiting error={error} retry={() => void refetch()} />;
  return <RoleForm tenantId={tenantId} from={data?.permissions ?? nothing} like={data?.name} />;
}

const readRole = (tenant_id: number, role_id: number) => () =>
  versioned(getRole({ client, path: { tenant_id, role_id } }));

/** Changes a role. */
export function EditRolePage() {
  const { tenantId, roleId } = editRoute.useParams();
  const { data, error, refetch } = useQuery(edited(['role', tenantId, roleId], readRole(tenantId, roleId)));
  useRoleCrumbs(tenantId, data?.value.name ?? ' ');
  if (!data) return <Waiting error={error} retry={() => void refetch()} />;
  return <RoleForm tenantId={tenantId} from={data.value.permissions} read={data} />;
}

const Waiting = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <Page title="Role">
    {error ? <ErrorState error={error} onRetry={retry} /> : <SkeletonLines count={10} />}
  </Page>
);

interface RoleFormProps {
  tenantId: number;
  from: PermissionsDetail;
  /** of the role that is changed */
  read?: Versioned<RoleDetail>;
  /** the name of the role that it begins with */
  like?: string | undefined;
}

function RoleForm({ tenantId, from, read, like }: RoleFormProps) {
  const role = read?.value;
  const navigate = useNavigate();
  const { data: catalogue } = useQuery(catalogueQuery(tenantId));
  const { reason } = useAllowed(role ? 'changeRole' : 'createRole');
  const [grants, setGrants] = useState<readonly Grant[]>(() => grantsOf(from));
  const form = useForm({ defaultValues: { name: role?.name ?? (like ? `${like}-copy` : '') } });
  const name = form.watch('name');
  const permissions = permissionsOf(grants);
  const path = { tenant_id: tenantId };
  const { send, dialog } = useMeanwhile<RoleDetail | undefined>({
    first: { value: role, version: read?.version ?? '*' },
    read: readRole(tenantId, role?.id ?? 0),
    shown: (one) => one && { name: one.name, permissions: permissionsOf(grantsOf(one.permissions)) },
    mine: { name, permissions },
    put: (one) => {
      form.reset({ name: one?.name ?? '' });
      setGrants(grantsOf(one?.permissions ?? nothing));
    },
  });

  const save = async (wanted: { name: string }) => {
    const body = { name: wanted.name, permissions };
    const done = async (roleId: number, said: string) => {
      toast(`The role ${wanted.name} is ${said}`);
      await refreshKinds(tenantId, 'role', 'member', 'limits');
      await navigate({ to: '/t/$tenantId/roles/$roleId', params: { tenantId, roleId } });
    };
    if (!role) return await done((await createRole({ client, path, body })).data.id, 'there');
    await send(async (version) => {
      const headers = { 'If-Match': version };
      await updateRole({ client, path: { ...path, role_id: role.id }, body, headers });
      await done(role.id, 'changed');
    });
  };
  return (
    <Page title={role ? `Edit ${role.name}` : 'New role'}>
      <div className={styles.columns}>
        <Card title="What it grants" flush>
          {catalogue ? (
            <>
              <PermissionGrid
                catalogue={catalogue}
                grants={grants}
                onChange={(grant, resource, level) =>
                  setGrants(
                    withGrant(grants, {
                      ...grant,
                      permissions: withLevel(grant.permissions, resource, level),
                    }),
                  )
                }
                onRemove={(removed) => setGrants(grants.filter((grant) => !isAt(grant, removed)))}
              />
              <div className={styles.foot}>
                <AddOverride
                  tenantId={tenantId}
                  grants={grants}
                  onAdd={(grant) =>
                    setGrants(
                      withGrant(grants, {
                        ...grant,
                        permissions: [...(inheritedBy(grants, grant)?.permissions ?? [])],
                      }),
                    )
                  }
                />
              </div>
            </>
          ) : (
            <SkeletonLines count={12} />
          )}
        </Card>
        <div className={styles.side}>
          <Card title={role ? 'Save' : 'Create'}>
            <Form
              form={form}
              action={role ? 'Save' : 'Create the role'}
              disabledReason={reason}
              onSubmit={save}
              beside={
                <AsCode
                  command={
                    role
                      ? [
                          'roles',
                          'edit',
                          role.name,
                          '--file',
                          'role.yaml',
                          name !== role.name && '--name',
                          name !== role.name && name,
                        ]
                      : ['roles', 'create', name || 'NAME', '--file', 'role.yaml']
                  }
                  request={{
                    method: role ? 'PUT' : 'POST',
                    path: `/tenants/${tenantId}/roles${role ? `/${role.id}` : ''}`,
                    body: { name, permissions },
                  }}
                />
              }
            >
              <FormText control={form.control} name="name" label="Name" isRequired />
            </Form>
          </Card>
          <TryRole tenantId={tenantId} role={role} permissions={permissions} />
        </div>
      </div>
      {dialog}
    </Page>
  );
}
