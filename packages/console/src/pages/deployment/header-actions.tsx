import { useMutation } from '@tanstack/react-query';
import { retryDeployment } from '@sluice/client';
import { queryClient } from '../../api/query-client.ts';
import { ActionButton } from '../../parts/allowed.tsx';
import { AsCode } from '../../parts/as-code.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { useDeployment } from './deployment-context.ts';

/** What people most often do with a deployment, as far as its status allows it. */
export function HeaderActions() {
  const { deployment, place, words, path, params, layer, supervisor } = useDeployment();
  const { deployment_id } = path;
  const retry = useMutation({
    mutationFn: () => retryDeployment({ client: supervisor, path: { deployment_id } }),
    onSuccess: () => {
      toast('It is tried again now');
      void queryClient.invalidateQueries({ queryKey: [layer, params.tenantId, 'deployment', deployment_id] });
    },
    onError: toastError,
  });
  if (deployment.status_reason === null)
    return (
      <AsCode
        command={['deployments', 'show', words]}
        request={{
          method: 'GET',
          path: `/tenants/${path.tenant_id}/divisions/${path.division_id}/environments/${path.environment_id}/deployments/${deployment_id}`,
        }}
      />
    );
  return (
    <>
      <ActionButton
        action="retryDeployment"
        on={place}
        kind="primary"
        isPending={retry.isPending}
        onPress={() => retry.mutate()}
      />
      <AsCode
        command={['deployments', 'retry', words]}
        request={{ method: 'POST', path: `/deployments/${deployment_id}/retry` }}
      />
    </>
  );
}
