import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { extendDeployment, upgradeDeployment, type Tier } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { tiersQuery } from '@sluice/console-core/api/catalogue.ts';
import { applyLines } from '@sluice/console-core/lib/apply-lines.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { storageText, tierRefusal, tierSize } from '@sluice/console-core/lib/tiers.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Price } from '@sluice/console-core/parts/price.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Card, DescriptionList } from '@sluice/ui/data.tsx';
import { Note } from '@sluice/ui/feedback.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { deploymentPath } from '../place.ts';
import { refresh } from '../queries.ts';

/** Tier, storage and nodes. */
export function SizeCard() {
  const { deployment } = useDeployment();
  const { tier, storage, cluster, nodes_count: count, status } = deployment;
  return (
    <Card title="Size">
      <div className={layout.closeStack}>
        <DescriptionList
          items={[
            ['Tier', tier],
            ['Storage', storageText(storage)],
            ['Nodes', cluster === 'cluster' ? plural(count, 'node') : 'one, standalone'],
          ]}
        />
        {status !== 'initialized' && <Note>The size can be changed once the deployment is running.</Note>}
        <UpgradeForm key={`${tier} ${storage.size}`} />
        {cluster === 'cluster' && <ExtendForm key={count} />}
      </div>
    </Card>
  );
}

function UpgradeForm() {
  const open = useDeployment();
  const { deployment, path, place, names, words } = open;
  const { data: tiers } = useQuery(tiersQuery(path.tenant_id, deployment));
  const { reason } = useAllowed('upgradeDeployment', place);
  const { size: sizeNow, type } = deployment.storage;
  const form = useForm<{ tier: Tier; storage: string }>({
    defaultValues: { tier: deployment.tier, storage: sizeNow === null ? '' : String(sizeNow) },
  });
  const { tier, storage } = form.watch();
  const size = Number(storage);
  const isLarger = sizeNow !== null && Number.isSafeInteger(size) && size > sizeNow;
  const body = {
    ...(tier !== deployment.tier && { tier }),
    ...(isLarger && { storage: { size } }),
  };
  const isChanged = Object.keys(body).length > 0;
  return (
    <Form
      form={form}
      action="Upgrade"
      disabledReason={reason ?? (isChanged ? undefined : 'Choose another tier or more storage first.')}
      onSubmit={async () => {
        await upgradeDeployment({ client, path, body });
        toast('The upgrade has begun', 'The activities say what comes of it.');
        await refresh(open);
      }}
      beside={
        <AsCode
          command={[
            ...['deployments', 'upgrade', words],
            ...(body.tier ? ['--tier', body.tier] : []),
            ...(isLarger ? ['--storage-size', storage] : []),
          ]}
          request={{ method: 'POST', path: `${deploymentPath(path)}/upgrade`, body }}
          apply={applyLines(names, body)}
        />
      }
    >
      <Controller
        control={form.control}
        name="tier"
        render={({ field: { value, onChange }, fieldState: { error } }) => (
          <Select
            label="Tier"
            options={(tiers ?? []).map((entry) => {
              const isOwn = entry.key === deployment.tier;
              const refusal = isOwn ? undefined : tierRefusal(entry);
              return {
                key: entry.key,
                label: entry.name,
                note: isOwn ? 'as it is' : tierSize(entry),
                ...(refusal !== undefined && { disabledReason: refusal }),
              };
            })}
            value={value}
            onChange={onChange}
            error={error?.message}
          />
        )}
      />
      {sizeNow !== null && (
        <FormText
          control={form.control}
          name="storage"
          label="Storage"
          description={`Gigabytes; it has ${sizeNow} and never shrinks`}
          inputMode="numeric"
        />
      )}
      {isChanged && (
        <Price
          path={path}
          input={{
            cloud: deployment.cloud,
            region: deployment.region,
            tier,
            storage: { type, size: isLarger ? size : sizeNow },
            nodes: deployment.nodes_count,
            availability_mode: deployment.availability_mode,
            encrypted: deployment.encrypted,
            dedicated: deployment.dedicated,
            public_ip_enabled: deployment.public_ip_enabled,
          }}
        />
      )}
    </Form>
  );
}

function ExtendForm() {
  const open = useDeployment();
  const { path, place, words, names, deployment } = open;
  const { reason } = useAllowed('extendDeployment', place);
  const form = useForm({ defaultValues: { nodes: '1' } });
  const count = Number(form.watch('nodes'));
  return (
    <Form
      form={form}
      action="Add nodes"
      disabledReason={reason}
      onSubmit={async () => {
        if (!Number.isSafeInteger(count) || count < 1) {
          form.setError('nodes', { message: 'A whole number.' });
          return;
        }
        await extendDeployment({ client, path, body: { nodes: [{ count }] } });
        toast('The nodes are being added', 'The activities say what comes of it.');
        await refresh(open);
      }}
      beside={
        <AsCode
          command={['deployments', 'extend', words, '--nodes', String(count)]}
          request={{
            method: 'POST',
            path: `${deploymentPath(path)}/extend`,
            body: { nodes: [{ count }] },
          }}
          apply={applyLines(names, { nodes: deployment.nodes_count + count })}
        />
      }
    >
      <FormText control={form.control} name="nodes" label="Further nodes" inputMode="numeric" isRequired />
    </Form>
  );
}
