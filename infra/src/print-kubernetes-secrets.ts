import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isSender } from '@sluice/contracts';
import { kubernetesSecrets } from './kubernetes/secrets.ts';

/**
 * `npm run --silent kubernetes-secrets -- --folder ~/sluice --region cloud_a/us-east-1 … | kubectl apply --server-side -f -`:
 * makes the secrets of an installation on Kubernetes, keeps them in the folder, which is as secret as they are, and prints
 * them. Those that are there stay as they are. `--postgresql` says where PostgreSQL is, if not in the example's namespace;
 * `SMTP_URL` in the environment is the notifier's. With `--upgrading` the NATS users of the release before may do what they did, beside those of this one.
 */

const usage =
  'Usage: npm run --silent kubernetes-secrets -- --folder <folder> --region <cloud>/<region>… [--postgresql <host>:<port>] [--namespace sluice] [--upgrading]';

function read() {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      region: { type: 'string', multiple: true, default: [] },
      postgresql: { type: 'string', default: 'postgresql.sluice-data:5432' },
      namespace: { type: 'string', default: 'sluice' },
      upgrading: { type: 'boolean', default: false },
    },
  });
  const { folder, region: names } = values;
  if (folder === undefined || names.length === 0) throw new Error(usage);
  const regions = names.map((name) => {
    const [cloud = '', region = ''] = name.split('/');
    if (!isSender(`supervisor/${name}`)) throw new Error(`${name} is not a region.\n${usage}`);
    return { cloud, region };
  });
  return {
    ...values,
    folder: resolve(folder),
    regions,
    smtpUrl: process.env['SMTP_URL'] ?? 'smtp://localhost',
  };
}

try {
  const { folder, ...installation } = read();
  await mkdir(join(folder, 'secrets'), { recursive: true, mode: 0o700 });
  const home = {
    folder,
    path: (...names: string[]) => join(folder, ...names),
    release: async () => undefined,
  };
  const items = await kubernetesSecrets(home, installation);
  process.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
