import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { AccessRule } from '@sluice/client';
import { installationQuery } from '@sluice/console-core/api/queries.ts';
import { isIn, isInForce } from '@sluice/console-core/lib/access.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { EmptyState, Note } from '@sluice/ui/feedback.tsx';
import { PlusIcon } from '@sluice/ui/icons.tsx';
import { Status, Tag } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import { actionsColumn, timeColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { protocols } from '../connect/endpoints.ts';
import { useDeployment } from '../deployment-context.ts';
import { accessRulesQuery } from '../queries.ts';
import { RemoveRule } from './remove-rule.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import styles from '../deployment.module.css';

/** The rules by which addresses may connect. */
export function AccessTab() {
  const open = useDeployment();
  const { data: rules, error, refetch } = useQuery(accessRulesQuery(open));
  const { data: installation } = useQuery(installationQuery);
  const [edited, setEdited] = useState<AccessRule | 'new'>();
  const [removed, setRemoved] = useState<AccessRule>();
  const address = installation?.address ?? null;
  const now = new Date();
  const valid = rules?.filter((rule) => isInForce(rule, now)) ?? [];
  const isLetIn =
    address !== null &&
    isIn(
      address,
      valid.flatMap(({ cidr_blocks: blocks }) => blocks),
    );
  const columns = useMemo(
    () => columnsOf({ onEdit: setEdited, onRemove: setRemoved, place: open.place }),
    [open.place],
  );
  const add = (
    <ActionButton
      action="createAccessRule"
      on={open.place}
      kind="primary"
      icon={<PlusIcon />}
      onPress={() => setEdited('new')}
    />
  );
  return (
    <div className={layout.stack}>
      {rules && rules.length > 0 && valid.length === 0 && (
        <Note>All rules have ended, so no client can connect.</Note>
      )}
      <Card
        title="Access rules"
        flush
        actions={
          <span className={layout.inlineRow}>
            {add}
            <AsCode
              command={['access', 'list', open.words]}
              request={{
                method: 'GET',
                path: `/deployments/${open.path.deployment_id}/access_rules`,
                layer: 'supervisor',
              }}
            />
          </span>
        }
      >
        <DataTable
          name="access-rules"
          label="Access rules"
          rows={rules}
          columns={columns}
          rowKey={({ id }) => id}
          onOpen={setEdited}
          error={error ?? undefined}
          onRetry={() => void refetch()}
          isBare
          toolbar={
            <p className={styles.tableNote}>
              {rules && plural(rules.length, 'rule')}
              {address !== null && rules && ` · your address ${address} is ${isLetIn ? '' : 'not '}let in`}
            </p>
          }
          empty={
            <EmptyState title="Nobody can connect yet" actions={add}>
              A rule lets addresses in. Without one every connection is refused.
            </EmptyState>
          }
        />
      </Card>
      {edited && (
        <RuleDialog
          rule={edited === 'new' ? undefined : edited}
          rules={rules ?? []}
          address={address}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && (
        <RemoveRule
          rule={removed}
          rules={rules ?? []}
          address={address}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </div>
  );
}

interface ColumnActions {
  onEdit: (rule: AccessRule) => void;
  onRemove: (rule: AccessRule) => void;
  place: ReturnType<typeof useDeployment>['place'];
}

const columnsOf = ({ onEdit, onRemove, place }: ColumnActions): Column<AccessRule>[] => [
  {
    id: 'name',
    title: 'Name',
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: ({ name, remarks }) => <span title={remarks ?? undefined}>{name}</span>,
  },
  {
    id: 'addresses',
    title: 'Addresses',
    cell: ({ cidr_blocks: blocks }) => (
      <span title={blocks.join(', ')}>
        <code>{blocks.slice(0, 2).join(', ')}</code>
        {blocks.length > 2 && ` and ${blocks.length - 2} more`}
      </span>
    ),
  },
  {
    id: 'protocols',
    title: 'Protocols',
    wideOnly: true,
    cell: ({ rules }) => (
      <span className={layout.inlineRow}>
        {protocols
          .filter(({ key }) => rules[key])
          .map(({ key, name }) => (
            <Tag key={key}>{name}</Tag>
          ))}
      </span>
    ),
  },
  {
    id: 'end',
    title: 'Ends',
    sortBy: ({ valid_to: end }) => end ?? '9',
    cell: (rule) =>
      rule.valid_to === null ? (
        'never'
      ) : isInForce(rule, new Date()) ? (
        <Time at={rule.valid_to} />
      ) : (
        <Status kind="idle">
          ended <Time at={rule.valid_to} />
        </Status>
      ),
  },
  timeColumn('created', 'Created', ({ created_at }) => created_at, { wideOnly: true, isHiddenAtFirst: true }),
  actionsColumn((rule) => (
    <>
      <ActionButton action="changeAccessRule" on={place} size="small" onPress={() => onEdit(rule)}>
        Edit
      </ActionButton>
      <ActionButton action="deleteAccessRule" on={place} size="small" onPress={() => onRemove(rule)} />
    </>
  )),
];
