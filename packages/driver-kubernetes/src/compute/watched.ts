import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@sluice/system/log';
import { createBackoff } from '@sluice/system';
import type { ApiObject, Kind, ObjectKey } from './api-object.ts';
import type { KubernetesApi } from './kubernetes-api.ts';

export interface WatchedOptions {
  api: Pick<KubernetesApi, 'list' | 'watch'>;
  kinds: readonly Kind[];
  labels: string;
  stopping: AbortSignal;
  log: Log;
}

export interface Watched {
  /** Resolves once all has been read for the first time. @throws when the signal is aborted before */
  ready(signal: AbortSignal): Promise<void>;
  get(key: ObjectKey): ApiObject | undefined;
  /** of one namespace, or of all */
  list(kind: Kind, namespace?: string): ApiObject[];
  onChange(changed: (object: ApiObject, kind: Kind) => void): () => void;
}

/** All is read anew this often, should something have been missed. Milliseconds. */
const resyncEvery = 10 * 60_000;
const leastWatch = 1_000;
const retryPauses = { first: 200, cap: 15_000 };

type Tell = (object: ApiObject, kind: Kind) => void;
/** by namespace and name */
type Copy = Map<string, ApiObject>;

/**
 * Keeps a copy of the objects with our labels, by a watch for each kind. After a gap that the API server cannot fill, after a
 * connection that broke, and every now and then, all is read anew.
 */
export function watchObjects(options: WatchedOptions): Watched {
  const listeners = new Set<Tell>();
  const tell: Tell = (object, kind) => {
    for (const listener of listeners) listener(object, kind);
  };
  const copies = new Map(options.kinds.map((kind) => [kind, new Map() as Copy]));
  const followed = Promise.all(
    [...copies].map(([kind, copy]) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      void follow(options, kind, copy, { tell, whenRead: resolve });
      return promise;
    }),
  );
  return {
    async ready(signal) {
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const abort = () => reject(new Error('the cluster has not answered yet'));
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      await Promise.race([followed, aborted]).finally(() => signal.removeEventListener('abort', abort));
    },
    get: ({ kind, name, namespace }) => copies.get(kind)?.get(keyIn(namespace, name)),
    list: (kind, namespace) =>
      [...(copies.get(kind)?.values() ?? [])].filter(
        ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
      ),
    onChange(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  };
}

/** Keeps the copy of one kind until the supervisor ends. */
async function follow(
  options: WatchedOptions,
  kind: Kind,
  copy: Copy,
  { tell, whenRead }: { tell: Tell; whenRead: () => void },
): Promise<void> {
  const { api, labels, stopping, log } = options;
  const backoff = createBackoff(retryPauses);
  let failing = false;
  while (!stopping.aborted) {
    try {
      const { items, version } = await api.list(kind, labels, stopping);
      replace(copy, items, (object) => tell(object, kind));
      whenRead();
      if (failing) log.info('the cluster is watched again', { kind });
      failing = false;
      backoff.reset();
      await followFrom(options, kind, version, (event) => {
        take(copy, event);
        tell(event.object, kind);
      });
    } catch (error) {
      if (stopping.aborted) return;
      if (!failing) log.warn('the cluster cannot be watched; it will be tried again', { kind, error });
      failing = true;
      await sleep(backoff.next(), undefined, { signal: stopping, ref: false }).catch(() => undefined);
    }
  }
}

type Change = { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: ApiObject };

/** Tells what happens after `version`, for as long as the server can tell all of it, and until all is due to be read anew. */
async function followFrom(
  { api, labels, stopping }: WatchedOptions,
  kind: Kind,
  version: string,
  changed: (change: Change) => void,
): Promise<void> {
  const until = performance.now() + resyncEvery * (0.8 + Math.random() * 0.4);
  let since = version;
  while (performance.now() < until && !stopping.aborted) {
    const begun = performance.now();
    for await (const { type, object } of api.watch(kind, labels, since, stopping)) {
      if (type === 'ERROR') return;
      since = object.metadata.resourceVersion ?? since;
      if (type !== 'BOOKMARK') changed({ type, object });
    }
    // who ends watches at once is not asked in a rush
    const pause = Math.max(0, leastWatch - (performance.now() - begun));
    await sleep(pause, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
}

function replace(copy: Copy, items: readonly ApiObject[], tell: (object: ApiObject) => void): void {
  const former = new Map(copy);
  copy.clear();
  for (const object of items) {
    const key = keyOf(object);
    copy.set(key, object);
    if (former.get(key)?.metadata.resourceVersion !== object.metadata.resourceVersion) tell(object);
    former.delete(key);
  }
  for (const object of former.values()) tell(object);
}

function take(copy: Copy, { type, object }: Change): void {
  if (type === 'DELETED') copy.delete(keyOf(object));
  else copy.set(keyOf(object), object);
}

const keyIn = (namespace: string | undefined, name: string) => `${namespace ?? ''}/${name}`;
const keyOf = ({ metadata: { namespace, name } }: ApiObject) => keyIn(namespace, name);
