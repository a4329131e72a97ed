import { useQuery } from '@tanstack/react-query';
import { getNetworkInfo, type Cloud } from '@sluice/client';
import { tenantQuery } from '@sluice/console-core/api/catalogue.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { read } from '@sluice/console-core/api/query-client.ts';
import { clouds } from '@sluice/console-core/clouds/index.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { CopyField } from '@sluice/ui/copy.tsx';
import { Card, DescriptionList } from '@sluice/ui/data.tsx';
import { ErrorState, Note, SkeletonLines } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { Links } from './links.tsx';

/** The addresses of the deployment, and its private ways. */
export function NetworkTab() {
  const { deployment, path } = useDeployment();
  const { data: tenant } = useQuery(tenantQuery(path.tenant_id));
  const isManaged = deployment.variant === 'managed';
  return (
    <div className={layout.stack}>
      <Info />
      {tenant?.features.private_networking_enabled === false && (
        <Note>Your plan has no peerings and private links.</Note>
      )}
      {isManaged ? (
        <AllLinks cloud={deployment.cloud} />
      ) : (
        <Note>
          The deployment is in your own account, so you connect its network with others there yourself.
        </Note>
      )}
    </div>
  );
}

/** The links of the cloud, kind by kind. */
function AllLinks({ cloud }: { cloud: Cloud }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['link kinds', cloud],
    queryFn: () => clouds[cloud].links(),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  });
  if (data) return data.map((kind) => <Links key={kind.key} kind={kind} />);
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={3} />;
}

function Info() {
  const { path, layer, supervisor, words } = useDeployment();
  const { tenant_id, deployment_id } = path;
  const { data, error, refetch } = useQuery(
    read(keyOf(layer, tenant_id, 'deployment', deployment_id, 'network'), (signal) =>
      getNetworkInfo({ client: supervisor, path: { deployment_id }, signal }),
    ),
  );
  const addresses = (list: readonly string[]) =>
    list.length > 0 && (
      <span className={layout.inlineRow}>
        {list.map((one) => (
          <CopyField key={one} value={one} label={`the address ${one}`} isInline />
        ))}
      </span>
    );
  return (
    <Card
      title="Addresses"
      actions={
        <AsCode
          command={['network', 'info', words]}
          request={{ method: 'GET', path: `/deployments/${deployment_id}/network/info`, layer: 'supervisor' }}
        />
      }
    >
      {data ? (
        <DescriptionList
          items={[
            ['Network', data.network_mode === 'public' ? 'Public' : 'Private'],
            ['Domain', data.domain && <CopyField value={data.domain} label="the domain" isInline />],
            ['Subnet', data.cidr && <CopyField value={data.cidr} label="the subnet" isInline />],
            ['Public addresses', addresses(data.public_ips)],
            ['Private addresses', addresses(data.private_ips)],
            [
              'Ports',
              Object.entries(data.ports)
                .filter(([, port]) => port !== null)
                .map(([protocol, port]) => `${protocol.replace('broker_', '')} ${port}`)
                .join(', '),
            ],
          ]}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={4} />
      )}
    </Card>
  );
}
