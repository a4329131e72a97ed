import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { PermissionsInput, RoleDetail } from '@sluice/client';
import { accountQuery, membersQuery } from '@sluice/console-core/api/queries.ts';
import { ComboBox } from '@sluice/ui/choice.tsx';
import { Card } from '@sluice/ui/data.tsx';
import layout from '@sluice/ui/layout.module.css';
import { DryRun } from '../people/dry-run.tsx';

/** A dry run of a role as it is edited: by itself, or what a member could do with it. */
export function TryRole({
  tenantId,
  role,
  permissions,
}: {
  tenantId: number;
  /** undefined for one that is being made */
  role: RoleDetail | undefined;
  permissions: PermissionsInput;
}) {
  const { data: members } = useQuery(membersQuery(tenantId));
  const { data: account } = useQuery(accountQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const others = (members?.items ?? []).filter(({ id }) => id !== account?.id);
  const member = others.find(({ id }) => String(id) === chosen);
  return (
    <Card title="Dry run">
      <div className={layout.stack}>
        <ComboBox
          label="For a member"
          description="Without one it is about the role by itself. Nothing is changed."
          options={others.map(({ id, name, email }) => ({ key: String(id), label: name, note: email }))}
          value={chosen}
          onChange={setChosen}
          placeholder="Nobody"
        />
        <DryRun
          tenantId={tenantId}
          input={{ permissions, ...(role && { role: role.id }), ...(member && { member: member.id }) }}
          title={member ? `With this role ${member.name}` : role ? 'Who has the role' : 'Who gets the role'}
        />
      </div>
    </Card>
  );
}
