import { linkForms, type LinkDriver } from '@sluice/drivers';
import type { ThirdCloud } from './cloud.ts';

export const thirdCloudLinks = (cloud: ThirdCloud): LinkDriver => ({
  async advance({ uid, kind, facts }, call) {
    call.signal.throwIfAborted();
    if (!cloud.links.has(uid)) {
      await call.confirm();
      cloud.links.add(uid);
      cloud.changes += 1;
    }
    return { status: linkForms[kind].emulated.ready, facts, lookAgainSeconds: 30 };
  },

  async remove({ uid }, call) {
    call.signal.throwIfAborted();
    if (cloud.links.has(uid)) await call.confirm();
    if (cloud.links.delete(uid)) cloud.changes += 1;
    return true;
  },
});
