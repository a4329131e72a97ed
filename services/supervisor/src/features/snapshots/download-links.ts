import { deploymentIdSchema, snapshotIdSchema, type DeploymentId, type SnapshotId } from '@sluice/contracts';
import { problem, type SecretBox } from '@sluice/service-kit';
import { z } from 'zod';

export interface DownloadLinksOptions {
  secrets: SecretBox;
  publicUrl: string;
  now: () => Date;
}

const goodMilliseconds = 5 * 60_000;

/** What a link says; `for` tells it from everything else that is sealed with the same keys. */
const tokenSchema = z.strictObject({
  for: z.literal('snapshot download'),
  deployment: deploymentIdSchema,
  snapshot: snapshotIdSchema,
  until: z.int(),
});

export type DownloadLinks = ReturnType<typeof downloadLinks>;

/** Links that need no key: whoever has one may have this one snapshot of this deployment for five minutes. */
export function downloadLinks({ secrets, publicUrl, now }: DownloadLinksOptions) {
  return {
    async linkTo(deployment: DeploymentId, snapshot: SnapshotId): Promise<string> {
      const until = now().getTime() + goodMilliseconds;
      const said = { for: 'snapshot download', deployment, snapshot, until };
      const url = new URL(`${publicUrl.replace(/\/+$/, '')}/snapshots/archive`);
      url.searchParams.set('token', await secrets.seal(JSON.stringify(said)));
      return url.href;
    },

    /** @throws Problem `link_invalid` when it was not made here, was changed, or its time is over */
    async read(token: string): Promise<{ deploymentId: DeploymentId; snapshotId: SnapshotId }> {
      const { deployment, snapshot, until } = await open(token);
      if (now().getTime() >= until) throw problem('link_invalid');
      return { deploymentId: deployment, snapshotId: snapshot };
    },
  };

  async function open(token: string): Promise<z.infer<typeof tokenSchema>> {
    try {
      return tokenSchema.parse(JSON.parse(await secrets.open(token)));
    } catch {
      throw problem('link_invalid');
    }
  }
}
