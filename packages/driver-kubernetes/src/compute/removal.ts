import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeId } from '@sluice/contracts';
import type { DriverCall } from '@sluice/drivers';
import type { ApiObject, Kind, Wanted } from './api-object.ts';
import { isConflict, isForbidden } from './connection.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { labels, nameOf, nodeMark } from './labels.ts';
import { sealingName } from './node-objects.ts';
import type { Watched } from './watched.ts';

interface Removing {
  api: KubernetesApi;
  watched: Watched;
  owner: string;
  /** gives us the right to remove a namespace and what is in it */
  rightsIn: (space: ApiObject, signal: AbortSignal) => Promise<Wanted>;
}

/** what of a node is listed; its Secrets have its name */
const nodeKinds = ['StatefulSet', 'Pod', 'Service', 'NetworkPolicy', 'PersistentVolumeClaim'] as const;
const secretKind: Kind = 'Secret';
/** how soon it is looked again without an event, milliseconds */
const lookAgain = 1_000;

/** Removes a node with its data, and the last node of a deployment with the deployment's namespace. Resolves when it is gone. */
export async function removeNode(removing: Removing, node: NodeId, call: DriverCall): Promise<void> {
  const { api, owner } = removing;
  const selector = `${labels.owner}=${owner},${nodeMark(node)}`;
  for (;;) {
    const { items: spaces } = await api.list('Namespace', selector, call.signal);
    const left = await Promise.all(spaces.map((space) => removeFrom(removing, space, node, call)));
    if (!left.includes(true)) return;
    await nextChange(removing.watched, call.signal);
  }
}

/** Begins to remove a node from a namespace. @returns whether something of it is left there */
export async function removeFrom(
  { api, owner, rightsIn }: Removing,
  space: ApiObject,
  node: NodeId,
  call: DriverCall,
): Promise<boolean> {
  const { signal } = call;
  const { name: namespace, uid, deletionTimestamp } = space.metadata;
  if (deletionTimestamp !== undefined) return true;
  const deployment = space.metadata.labels?.[labels.deployment] ?? '';
  const selector = `${labels.owner}=${owner},${labels.deployment}=${deployment},${labels.node}`;
  const found = await Promise.all(
    nodeKinds.map(async (kind) => {
      const { items } = await api.list(kind, selector, signal);
      return items.filter(({ metadata }) => metadata.namespace === namespace).map((item) => ({ kind, item }));
    }),
  );
  const objects = found.flat();
  const own = objects.filter(({ item }) => item.metadata.labels?.[labels.node] === String(node));
  await call.confirm();
  if (own.length === objects.length) {
    // with all that is in it
    await api.remove({ kind: 'Namespace', name: namespace }, uid ?? '', signal).catch(async (error) => {
      if (!isForbidden(error)) throw error;
      // a call that was cut short has made it without rights in it: they are in force at the next look
      const rights = await rightsIn(space, signal);
      await api.create(rights, signal).catch((conflict) => {
        throw isConflict(conflict) ? error : conflict;
      });
    });
    return true;
  }
  const secrets = await Promise.all(
    [nameOf(node), sealingName(node)].map((name) => api.read({ kind: 'Secret', name, namespace }, signal)),
  );
  const ownSecrets = secrets.filter((secret) => secret?.metadata.labels?.[labels.owner] === owner);
  const leaving = [...own, ...ownSecrets.flatMap((item) => (item ? [{ kind: secretKind, item }] : []))];
  await Promise.all(
    leaving
      .filter(({ item }) => item.metadata.deletionTimestamp === undefined)
      .map(({ kind, item: { metadata } }) =>
        api.remove({ kind, name: metadata.name, namespace }, metadata.uid ?? '', signal),
      ),
  );
  return leaving.length > 0;
}

/** Resolves when something has changed, or after a while. @throws when the signal is aborted */
async function nextChange(watched: Watched, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unwatch = watched.onChange(() => resolve());
  try {
    await Promise.race([promise, sleep(lookAgain, undefined, { signal, ref: false })]);
  } finally {
    unwatch();
  }
  signal.throwIfAborted();
}
