import { useMutation } from '@tanstack/react-query';
import { retryDeployment } from '@sluice/client';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { useDeployment } from './deployment-context.ts';
import { deploymentPath } from './place.ts';

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
  const isWaiting = deployment.status_reason !== null;
  return (
    <>
      {isWaiting && (
        <ActionButton
          action="retryDeployment"
          on={place}
          kind="primary"
          isPending={retry.isPending}
          onPress={() => retry.mutate()}
        />
      )}
      <Link
        to="/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/connect"
        params={params}
        look={isWaiting ? 'button' : 'primary'}
      >
        Connect
      </Link>
      <AsCode
        command={['deployments', isWaiting ? 'retry' : 'show', words]}
        request={
          isWaiting
            ? { method: 'POST', path: `/deployments/${deployment_id}/retry`, layer: 'supervisor' }
            : { method: 'GET', path: deploymentPath(path) }
        }
      />
    </>
  );
}
