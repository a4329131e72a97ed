import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { createStarterDeployment, type Cloud } from '@sluice/client';
import { sluice } from '../../api/client.ts';
import { installationQuery, structureQuery } from '../../api/queries.ts';
import { AsCode } from '../../parts/as-code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/choice.tsx';
import { SkeletonLines } from '../../ui/feedback.tsx';
import { Form, FormText } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';

interface StarterDialogProps {
  tenantId: number;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Asks where the starter deployment shall be, and creates it. */
export function StarterDialog({ tenantId, ...dialog }: StarterDialogProps) {
  return (
    <Dialog title="Create a starter deployment" {...dialog}>
      {(close) => <StarterForm tenantId={tenantId} close={close} />}
    </Dialog>
  );
}

function StarterForm({ tenantId, close }: { tenantId: number; close: () => void }) {
  const { data: structure } = useQuery(structureQuery(tenantId));
  const { data: installation } = useQuery(installationQuery);
  const [chosenDivision, setDivision] = useState<string | null>(null);
  const [chosenRegion, setRegion] = useState<string | null>(null);
  const form = useForm({ defaultValues: { deployment_name: '' } });
  const name = form.watch('deployment_name');
  if (!structure || !installation) return <SkeletonLines />;
  const divisions = structure.divisions.map((one) => ({ key: String(one.id), label: one.name }));
  const regions = installation.regions.map(({ cloud, region, name: shown }) => ({
    key: `${cloud}/${region}`,
    label: shown,
    note: cloud,
  }));
  const division = divisions.find(({ key }) => key === chosenDivision) ?? divisions[0];
  const place = regions.find(({ key }) => key === chosenRegion) ?? regions[0];
  const [cloud = '', region = ''] = place?.key.split('/') ?? [];
  const body = { cloud: cloud as Cloud, region, ...(name !== '' && { deployment_name: name }) };
  const path = { tenant_id: tenantId, division_id: Number(division?.key) };
  return (
    <Form
      form={form}
      action="Create"
      disabledReason={division && place ? undefined : 'There is no division, or no region, to create it in.'}
      beside={
        <AsCode
          command={[
            ...['deployments', 'starter', division?.label ?? 'DIVISION'],
            ...['--cloud', cloud, '--region', region],
            ...(name === '' ? [] : ['--name', name]),
          ]}
          request={{
            method: 'POST',
            path: `/tenants/${tenantId}/divisions/${path.division_id}/deployments/starter`,
            body,
          }}
        />
      }
      onSubmit={async () => {
        await createStarterDeployment({ client: sluice, path, body });
        close();
        toast('The deployment is being created', 'It is ready in about a minute.');
      }}
    >
      <p>A broker on one small node in the environment sandbox, for development.</p>
      <Select label="Division" options={divisions} value={division?.key ?? null} onChange={setDivision} />
      <Select label="Region" options={regions} value={place?.key ?? null} onChange={setRegion} />
      <FormText
        control={form.control}
        name="deployment_name"
        label="Name"
        description="A DNS label; one is made up unless given."
        placeholder="orders"
      />
    </Form>
  );
}
