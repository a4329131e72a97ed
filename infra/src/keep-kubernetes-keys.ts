import { isSender } from '@sluice/contracts';
import { connectTo, createKubernetesApi, readKubeconfig } from '@sluice/driver-kubernetes/api';
import { exampleNamespace } from './kubernetes/secrets.ts';
import { keepSecrets, keysManager } from './kubernetes/keep-secrets.ts';

/**
 * `kubernetes-keys`, the program of the Job of `k8s/base/keys`: what `kubernetes-secrets` prints it has be in the cluster, and what
 * that keeps in a folder, in the Secret `keys`. It can be run again and again, also twice at once: docs/operations/kubernetes.md
 * Its settings are in the ConfigMap `keys`; `KUBECONFIG` is for a run outside of the cluster.
 */

const setting = (name: string, otherwise?: string): string => {
  const value = process.env[name]?.trim() ?? '';
  if (value !== '') return value;
  if (otherwise === undefined) throw new Error(`${name} is missing`);
  return otherwise;
};

function read() {
  const regions = setting('REGIONS')
    .split(/[\s,]+/)
    .map((name) => {
      const [cloud = '', region = ''] = name.split('/');
      if (!isSender(`supervisor/${name}`))
        throw new Error(`REGIONS has ${name}, which is not <cloud>/<region>`);
      return { cloud, region };
    });
  const upgrading = setting('UPGRADING', 'false');
  if (!['true', 'false'].includes(upgrading)) throw new Error('UPGRADING has to be true or false');
  return {
    regions,
    upgrading: upgrading === 'true',
    postgresql: setting('POSTGRESQL'),
    dataNamespace: setting('DATA_NAMESPACE', exampleNamespace),
    namespace: setting('NATS_NAMESPACE', 'sluice'),
  };
}

const ended = new AbortController();
try {
  const installation = read();
  const connection = connectTo(readKubeconfig(process.env['KUBECONFIG']), ended.signal);
  await keepSecrets(createKubernetesApi(connection, keysManager), installation, (line) => console.log(line));
  console.log('All Secrets are there.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  ended.abort();
}
