import { setTimeout as sleep } from 'node:timers/promises';
import type { DriverCall } from '@sluice/drivers';
import { describeKey, keyOf, type ApiObject, type Kind, type Wanted } from './api-object.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { isConflict, isForbidden } from './connection.ts';
import { covers } from './drift.ts';
import { labels } from './labels.ts';
import type { Watched } from './watched.ts';

/** A foreign object is in the way: it is left alone, and a person has to decide. */
class ForeignObject extends Error {
  constructor(object: string) {
    super(
      `${object} is there already and not of this installation: it is left alone; remove it or give it another name`,
    );
  }
}

/** another client, such as a controller, may change an object between our read and our write */
const mostAttempts = 4;
/** for so long rights that were just given may not be in force yet, milliseconds */
const rightsTake = 5_000;
/** what gives the rights to change things, and so is there before they are: it is created, not applied */
const before: readonly Kind[] = ['Namespace', 'RoleBinding'];

/** Writes objects, for one call of the driver. */
export interface Writer {
  /** Has an object be like this; writes nothing where it is. @throws ForeignObject */
  apply(object: Wanted): Promise<void>;
  /** What there is now, of ours. @throws ForeignObject */
  read(object: Wanted): Promise<ApiObject | undefined>;
}

/**
 * Right before each write the call is confirmed, and an object is changed only if it is as it was read: a
 * call that was given up writes nothing, and neither does one that comes late.
 */
export function createWriter(api: KubernetesApi, watched: Watched, owner: string, call: DriverCall): Writer {
  const { signal } = call;
  let rightsGivenAt = -Infinity;

  async function read(object: Wanted): Promise<ApiObject | undefined> {
    const live = await withRights(() => api.read(keyOf(object), signal));
    if (live && !isOwn(live, object, owner)) throw new ForeignObject(describeKey(keyOf(object)));
    return live;
  }

  async function withRights<Result>(request: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await request();
      } catch (error) {
        if (!isForbidden(error) || performance.now() - rightsGivenAt > rightsTake) throw error;
        await sleep(200, undefined, { signal });
      }
    }
  }

  async function write(object: Wanted): Promise<void> {
    const live = await read(object);
    if (live && covers(live, object)) return;
    if (live?.metadata.deletionTimestamp !== undefined)
      throw new Error(`${describeKey(keyOf(object))} is still being removed`);
    await call.confirm();
    const { resourceVersion } = live?.metadata ?? {};
    const metadata = { ...object.metadata, ...(resourceVersion !== undefined && { resourceVersion }) };
    if (!live && before.includes(object.kind)) await api.create(object, signal);
    else await withRights(() => api.apply({ ...object, metadata }, signal));
    if (object.kind === 'RoleBinding') rightsGivenAt = performance.now();
  }

  return {
    read,

    async apply(object) {
      const known = watched.get(keyOf(object));
      if (known && isOwn(known, object, owner) && covers(known, object)) return;
      for (let attempt = 1; ; attempt++) {
        try {
          return await write(object);
        } catch (error) {
          if (!isConflict(error) || attempt === mostAttempts) throw error;
        }
      }
    },
  };
}

export function isOwn(live: ApiObject, wanted: Wanted, owner: string): boolean {
  const { labels: found = {} } = live.metadata;
  const node = wanted.metadata.labels?.[labels.node];
  return found[labels.owner] === owner && found[labels.node] === node;
}
