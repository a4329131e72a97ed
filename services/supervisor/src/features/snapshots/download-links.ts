import { deploymentIdSchema, snapshotIdSchema, type DeploymentId, type SnapshotId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { z } from 'zod';
import type { Shared } from '../shared.ts';

export interface DownloadLinksOptions extends Pick<Shared, 'secrets' | 'now'> {
  publicUrl: string;
}

const goodMilliseconds = 5 * 60_000;

/** What a link says; `for` distinguishes it from all else that is sealed with the same keys. */
const tokenSchema = z.strictObject({
  for: z.literal('snapshot download'),
  deployment: deploymentIdSchema,
  snapshot: snapshotIdSchema,
  /** whether what the broker stores may be had */
  broker: z.boolean(),
  until: z.int(),
});

export type DownloadLinks = ReturnType<typeof downloadLinks>;

/** What a link leads to. */
export interface Linked {
  deploymentId: DeploymentId;
  snapshotId: SnapshotId;
  /** whether what the broker stores belongs to it */
  includesBroker: boolean;
}

/** Links that need no key: for five minutes each gives access to one snapshot of one deployment. */
export function downloadLinks({ secrets, publicUrl, now }: DownloadLinksOptions) {
  return {
    async linkTo({ deploymentId, snapshotId, includesBroker }: Linked): Promise<string> {
      const until = now().getTime() + goodMilliseconds;
      const said: z.infer<typeof tokenSchema> = {
        ...{ for: 'snapshot download', deployment: deploymentId, snapshot: snapshotId },
        ...{ broker: includesBroker, until },
      };
      const url = new URL(`${publicUrl.replace(/\/+$/, '')}/snapshots/archive`);
      url.searchParams.set('token', await secrets.seal(JSON.stringify(said)));
      return url.href;
    },

    /** @throws Problem `link_invalid` when it was not made here, was changed, or its time is over */
    async read(token: string): Promise<Linked> {
      const { deployment, snapshot, broker, until } = await open(token);
      if (now().getTime() >= until) throw problem('link_invalid');
      return { deploymentId: deployment, snapshotId: snapshot, includesBroker: broker };
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
