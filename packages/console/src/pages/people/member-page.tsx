import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { MemberPermissions } from '@sluice/client';
import { accountQuery, membersQuery } from '@sluice/console-core/api/queries.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { grantsOf } from '@sluice/console-core/lib/permission-grid.ts';
import { placeText, withoutImplied } from '@sluice/console-core/lib/permission-text.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { PermissionGrid } from '@sluice/console-core/parts/permission-grid.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { EmptyState, ErrorState, Note, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { Status, Tag } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import { MemberDialog } from './member-dialog.tsx';
import { catalogueQuery, memberPermissionsQuery } from './queries.ts';
import { RemoveMember } from './remove-member.tsx';
import styles from './people.module.css';

const route = getRouteApi('/t/$tenantId/people/$memberId');

/** One member: their roles, and what they may do by which of them. */
export function MemberPage() {
  const { tenantId, memberId } = route.useParams();
  const navigate = useNavigate();
  const { data: held, error, refetch } = useQuery(memberPermissionsQuery(tenantId, memberId));
  const { data: members } = useQuery(membersQuery(tenantId));
  const { data: account } = useQuery(accountQuery);
  const { data: catalogue } = useQuery(catalogueQuery(tenantId));
  const [opened, setOpened] = useState<'edit' | 'remove'>();
  const member = members?.items.find(({ id }) => id === memberId);
  const name = held?.member.name ?? member?.name ?? ' ';
  useBreadcrumb(
    [
      <Link key="people" look="plain" to="/t/$tenantId/people" params={{ tenantId }}>
        People
      </Link>,
      <span key="name">{name}</span>,
    ],
    name,
  );
  if (error && !held)
    return (
      <Page title="Member">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  const mayChange = member !== undefined && held?.owner === false && account?.id !== memberId;
  return (
    <Page
      title={name}
      mark={
        <>
          {held && <Status kind={held.active ? 'ok' : 'idle'}>{held.active ? 'active' : 'refused'}</Status>}
          {held?.owner && <Tag>owner</Tag>}
          {account?.id === memberId && <Tag>you</Tag>}
        </>
      }
      about={member?.email}
      actions={
        <>
          <AsCode
            command={['roles', 'explain', '--member', member?.email ?? String(memberId)]}
            request={{ method: 'GET', path: `/tenants/${tenantId}/members/${memberId}/permissions` }}
          />
          {mayChange && (
            <>
              <ActionButton action="removeMember" onPress={() => setOpened('remove')} />
              <ActionButton action="changeMember" kind="primary" onPress={() => setOpened('edit')} />
            </>
          )}
        </>
      }
    >
      {held?.active === false && (
        <Note>Their sessions and keys are refused. What is below would hold again with access.</Note>
      )}
      <Card title="Membership">
        {member ? (
          <DescriptionList
            items={[
              [
                'Roles',
                member.roles.length === 0 ? (
                  'none'
                ) : (
                  <span className={layout.inlineRow}>
                    {member.role_ids.map((id, index) => (
                      <Link key={id} to="/t/$tenantId/roles/$roleId" params={{ tenantId, roleId: id }}>
                        {member.roles[index]}
                      </Link>
                    ))}
                  </span>
                ),
              ],
              ['Since', <Time key="since" at={member.created_at} isExact />],
              [
                'Ownership',
                held?.owner && 'may also lower protection and delete the organization, with any role',
              ],
            ]}
          />
        ) : (
          <SkeletonLines count={2} />
        )}
      </Card>
      <Card title={`What ${held?.member.name ?? 'they'} can do`} flush>
        {held && catalogue ? (
          <PermissionGrid catalogue={catalogue} grants={grantsOf(held.permissions)} />
        ) : (
          <SkeletonLines count={8} />
        )}
      </Card>
      <Card title="Where it comes from" flush>
        {held ? <Grants tenantId={tenantId} grants={held.grants} /> : <SkeletonLines count={4} />}
      </Card>
      {opened === 'edit' && member && (
        <MemberDialog tenantId={tenantId} member={member} onClose={() => setOpened(undefined)} />
      )}
      {opened === 'remove' && member && (
        <RemoveMember
          tenantId={tenantId}
          member={member}
          onClose={() => setOpened(undefined)}
          onRemoved={() => void navigate({ to: '/t/$tenantId/people', params: { tenantId } })}
        />
      )}
    </Page>
  );
}

const sources = {
  default: 'default',
  division_override: 'override of the division',
  environment_override: 'override of the environment',
} as const;

function Grants({ tenantId, grants }: { tenantId: number; grants: MemberPermissions['grants'] }) {
  if (grants.length === 0) return <EmptyState title="No role grants anything" />;
  return (
    <ul className={styles.grants}>
      {grants.map((grant) => (
        <li key={`${grant.role.id} ${placeText(grant)} ${grant.source}`}>
          <Link to="/t/$tenantId/roles/$roleId" params={{ tenantId, roleId: grant.role.id }}>
            {grant.role.name}
          </Link>
          <span className={layout.muted}>
            {placeText(grant)}, {sources[grant.source]}
          </span>
          <code className={styles.names}>{withoutImplied(grant.permissions).join(', ') || 'nothing'}</code>
        </li>
      ))}
    </ul>
  );
}
