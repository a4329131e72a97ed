import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createStarterDeployment, type Structure } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { tenantQuery } from '@sluice/console-core/api/catalogue.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { structureQuery } from '@sluice/console-core/api/queries.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Select } from '@sluice/ui/choice.tsx';
import { ErrorNote, Note } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useRegionOptions } from '../create/choices.ts';
import { regionOf } from '../create/create-values.ts';
import { Step } from './step.tsx';
import styles from './start.module.css';

/** Chooses a region, and makes the deployment there. */
export function RegionStep({ structure, made }: { structure: Structure; made: object | undefined }) {
  const tenantId = useTenantId();
  const navigate = useNavigate();
  const regions = useRegionOptions(tenantId);
  const { data: tenant } = useQuery(tenantQuery(tenantId));
  const [chosen, setChosen] = useState<string | null>(null);
  const place = chosen ?? regions.find((one) => !('disabledReason' in one))?.key ?? null;
  const at = regionOf(place ?? '');
  const division = structure.divisions[0];
  const isUsedUp = tenant?.starter_available === false;
  const path = { tenant_id: tenantId, division_id: division?.id ?? 0 };
  const create = useMutation({
    mutationFn: async () => {
      const { data } = await createStarterDeployment({ client, path, body: at! });
      // the page finds it there
      await queryClient.fetchQuery({ ...structureQuery(tenantId), staleTime: 0 });
      await navigate({ to: '/t/$tenantId/start', params: { tenantId }, search: { deployment: data.id } });
    },
  });
  if (made) return <Step title="The deployment is made" state="ok" />;
  return (
    <Step title="Choose a region" state="busy">
      <div className={layout.row}>
        <div className={styles.region}>
          <Select label="Region" options={regions} value={place} onChange={setChosen} hideLabel />
        </div>
        <ActionButton
          action="createStarter"
          on={division ? { division: division.id } : {}}
          kind="primary"
          isDisabled={!at || !division || isUsedUp}
          isPending={create.isPending}
          onPress={() => create.mutate()}
        >
          Create the deployment
        </ActionButton>
        {at && (
          <AsCode
            command={['deployments', 'starter', division?.name, '--cloud', at.cloud, '--region', at.region]}
            request={{
              method: 'POST',
              path: `/tenants/${tenantId}/divisions/${path.division_id}/deployments/starter`,
              body: at,
            }}
          />
        )}
      </div>
      {isUsedUp && <Note>All free deployments of your plan are in use.</Note>}
      {create.error && <ErrorNote error={create.error} />}
    </Step>
  );
}
