import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import type { Call, NetworkLink } from '@sluice/console-core/clouds/cloud.ts';
import type { ShownLinkKind } from '@sluice/console-core/clouds/index.ts';
import { shownLink } from '@sluice/console-core/lib/status.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { CopyField } from '@sluice/ui/copy.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog, Dialog } from '@sluice/ui/dialog.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { PlusIcon } from '@sluice/ui/icons.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { refresh } from '../queries.ts';
import { Connections } from './connections.tsx';
import { Instructions } from './instructions.tsx';
import { linkBody } from './link-body.ts';
import styles from './network.module.css';

/** The links of one kind, with what there is to do for each. */
export function Links({ kind }: { kind: ShownLinkKind }) {
  const open = useDeployment();
  const { path, place, layer, supervisor, words } = open;
  const { tenant_id, deployment_id } = path;
  const call: Call = { client: supervisor, path: { deployment_id } };
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(layer, tenant_id, 'network_link', deployment_id, kind.key),
    queryFn: ({ signal }) => kind.list(call, signal),
  });
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<NetworkLink>();
  const add = (
    <ActionButton action={kind.create} on={place} icon={<PlusIcon />} onPress={() => setAdding(true)} />
  );
  return (
    <Card title={kind.title} flush actions={data && data.length > 0 && add}>
      {!data &&
        (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={3} />)}
      {data?.length === 0 && (
        <EmptyState title={`No ${kind.title.toLowerCase()}`} actions={add}>
          {kind.about}
        </EmptyState>
      )}
      <ul className={styles.links}>
        {data?.map((link) => {
          const { kind: look, word } = shownLink(link.status);
          return (
            <li key={link.id}>
              <div className={styles.head}>
                <strong>{link.name}</strong>
                <Status kind={look}>{word}</Status>
                <span className={layout.muted}>
                  created <Time at={link.created_at} />
                </span>
                <span className={styles.end}>
                  <ActionButton
                    action={kind.remove}
                    on={place}
                    size="small"
                    isDisabled={['deleting', 'deleted', 'closed'].includes(link.status)}
                    onPress={() => setRemoved(link)}
                  />
                  <AsCode
                    command={['network', 'delete', link.name, words]}
                    request={{
                      method: 'DELETE',
                      path: `/deployments/${deployment_id}/network/${kind.path}/${link.id}`,
                      layer: 'supervisor',
                    }}
                  />
                </span>
              </div>
              {link.status_reason && <p className={layout.muted}>{link.status_reason}</p>}
              {link.remarks && <p>{link.remarks}</p>}
              <DescriptionList
                items={link.facts.map(([name, value]) => [
                  name,
                  value && <CopyField value={value} label={name.toLowerCase()} isInline />,
                ])}
              />
              <Connections kind={kind} link={link} call={call} />
              <Instructions kind={kind} link={link} call={call} />
            </li>
          );
        })}
      </ul>
      {isAdding && <AddLink kind={kind} call={call} onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmDialog
          title={`Delete ${removed.name}`}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setRemoved(undefined)}
          action="Delete"
          name={removed.name}
          onConfirm={async () => {
            await kind.destroy(call, removed.id);
            toast(`${removed.name} is being deleted`);
            await refresh(open, 'network_link');
          }}
        >
          Clients that come this way cannot reach the deployment any more. What was made on your side is for
          you to remove.
        </ConfirmDialog>
      )}
    </Card>
  );
}

function AddLink({ kind, call, onClose }: { kind: ShownLinkKind; call: Call; onClose: () => void }) {
  const open = useDeployment();
  const form = useForm<Record<string, string>>({
    defaultValues: {
      name: '',
      remarks: '',
      ...Object.fromEntries(kind.fields.map(({ key }) => [key, ''])),
    },
  });
  const body = linkBody(kind.fields, form.watch());
  return (
    <Dialog
      title={kind.key === 'peering' ? 'New peering' : 'New private link'}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Form
        form={form}
        action="Create"
        onSubmit={async (values) => {
          await kind.make(call, linkBody(kind.fields, values));
          toast('It is being made', 'What there is to do on your side is shown with it.');
          onClose();
          await refresh(open, 'network_link');
        }}
        beside={
          <AsCode
            command={[
              ...['network', 'create', kind.key, body.name, open.words],
              ...kind.fields.flatMap(({ key }) =>
                body[key] === undefined
                  ? []
                  : [`--${key.replaceAll('_', '-')}`, [body[key]].flat().join(',')],
              ),
            ]}
            request={{
              method: 'POST',
              path: `/deployments/${call.path.deployment_id}/network/${kind.path}`,
              body,
              layer: 'supervisor',
            }}
          />
        }
      >
        <FormText control={form.control} name="name" label="Name" isRequired autoFocus />
        {kind.fields.map(({ key, label, about, isRequired = false, isList }) => (
          <FormText
            key={key}
            control={form.control}
            name={key}
            label={label}
            description={about}
            isRequired={isRequired}
            isMono
            {...(isList && { rows: 3 })}
          />
        ))}
        <FormText control={form.control} name="remarks" label="Remarks" />
      </Form>
    </Dialog>
  );
}
