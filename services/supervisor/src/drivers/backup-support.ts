import type { ByocDriver, NodeProvider } from '@sluice/drivers';
import type { Deployment } from '@sluice/region-store/deployments.store';
import type { ByDriver } from './route-compute.ts';

/** Whether there are backups of a deployment: that goes by the driver of its nodes. */
export type KeepsBackups = (deployment: Pick<Deployment, 'byoc_driver'>) => boolean;

/** Which deployments there are backups of in this region, as far as it is known now. */
export type BackupSupport = () => Promise<KeepsBackups>;

export const noBackups: BackupSupport = () => Promise.resolve(() => false);

export function backupSupport(own: NodeProvider, byoc: ByDriver<NodeProvider>): BackupSupport {
  const providers: [ByocDriver | null, NodeProvider | undefined][] = [[null, own], ...Object.entries(byoc)];
  return async () => {
    const kept = await Promise.all(
      providers.map(async ([name, provider]) => {
        const has = provider?.hasBackups ? await provider.hasBackups() : provider?.volumes !== undefined;
        return has ? [name] : [];
      }),
    );
    const names = new Set(kept.flat());
    return ({ byoc_driver }) => names.has(byoc_driver);
  };
}
