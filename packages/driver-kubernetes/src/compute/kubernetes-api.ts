import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import {
  collectionPath,
  describeKey,
  kinds,
  keyOf,
  objectPath,
  type ApiObject,
  type Kind,
  type ObjectKey,
  type Wanted,
} from './api-object.ts';
import { isConflict, isMissing, type Connection } from './connection.ts';
import { fieldManager as ownManager } from './labels.ts';

/** The API of a cluster, as far as the driver uses it. Calls reject as requests of its connection do. */
export interface KubernetesApi {
  read(key: ObjectKey, signal?: AbortSignal): Promise<ApiObject | undefined>;
  /** All objects of a kind with these labels, of a namespace or of all. */
  list(kind: Kind, labels: string, signal?: AbortSignal, namespace?: string): Promise<Listed>;
  /**
   * What happens to them after a version, until the server ends it, within two minutes. A signal that is aborted ends it as well, by
   * rejecting.
   */
  watch(kind: Kind, labels: string, since: string, signal: AbortSignal): AsyncGenerator<WatchEvent>;
  /**
   * Makes an object, or has it be like this: server-side apply, in which others keep the fields that are not named here. One whose
   * `resourceVersion` is named is changed only while it is of that version.
   */
  apply(object: Wanted, signal?: AbortSignal): Promise<ApiObject>;
  /** Makes an object that is not there yet. Rejects as `isConflict` tells where it is. */
  create(object: Wanted, signal?: AbortSignal): Promise<void>;
  /** Sets labels or annotations of an object, unless it was changed since it was read: then it rejects (`isConflict`). */
  mark(object: Wanted, marks: Marks, signal?: AbortSignal): Promise<void>;
  /** What the cluster has warned of last about an object, of those in namespaces; undefined where it has not. */
  warningOf(object: ApiObject, signal?: AbortSignal): Promise<string | undefined>;
  /** Asks for its removal, if it is this very one still; what held it goes first, and dependents with it. */
  remove(key: ObjectKey, uid: string, signal?: AbortSignal): Promise<void>;
  whoAmI(signal?: AbortSignal): Promise<string>;
}

/** null takes one away */
export type Marks = Partial<Record<'labels' | 'annotations', Record<string, string | null>>>;

export interface Listed {
  items: ApiObject[];
  version: string;
}

/** `BOOKMARK` says nothing but how far the watch has come; `ERROR` that it cannot go on from there. */
export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: ApiObject;
}

const pageSize = 500;
/** seconds after which the server ends a watch, and after which one that has not ended by then is dead */
const watchSeconds = 120;
const deadWatchSeconds = watchSeconds + 30;

const objectSchema = z.custom<ApiObject>((value) => typeof value === 'object' && value !== null);
const listSchema = z.object({
  metadata: z.object({ continue: z.string().optional(), resourceVersion: z.string() }),
  items: z.array(objectSchema),
});
const eventSchema = z.object({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: objectSchema,
});
const warningsSchema = z.object({
  items: z.array(
    z.object({
      message: z.string().optional(),
      lastTimestamp: z.string().nullish(),
      eventTime: z.string().nullish(),
    }),
  ),
});
const reviewSchema = z.object({ status: z.object({ userInfo: z.object({ username: z.string() }) }) });

/** @param fieldManager who the API server says has written a field */
export function createKubernetesApi(
  { send, open }: Connection,
  fieldManager: string = ownManager,
): KubernetesApi {
  return {
    async read(key, signal) {
      try {
        return objectSchema.parse(
          await send({ method: 'GET', path: objectPath(key), what: describeKey(key), signal }),
        );
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    async list(kind, labelSelector, signal, namespace) {
      const items: ApiObject[] = [];
      const { apiVersion } = kinds[kind];
      let next: string | undefined;
      for (;;) {
        const query = { labelSelector, limit: String(pageSize), ...(next && { continue: next }) };
        const path = collectionPath(kind, namespace);
        const page = listSchema.parse(
          await send({ method: 'GET', path, query, what: `a list of ${kind}`, signal }),
        );
        // entries of a list do not say what they are
        items.push(...page.items.map((item) => ({ ...item, apiVersion, kind })));
        next = page.metadata.continue;
        if (!next) return { items, version: page.metadata.resourceVersion };
      }
    },

    async *watch(kind, labelSelector, resourceVersion, signal) {
      const timeoutSeconds = String(watchSeconds);
      const query = {
        watch: 'true',
        allowWatchBookmarks: 'true',
        labelSelector,
        resourceVersion,
        timeoutSeconds,
      };
      const dead = AbortSignal.timeout(deadWatchSeconds * 1_000);
      const request = { method: 'GET', path: collectionPath(kind), query, what: `to watch ${kind}` } as const;
      const ended = new AbortController();
      try {
        const { body } = await open(request, AbortSignal.any([signal, dead, ended.signal]));
        if (body === null) return;
        const lines = createInterface({ input: Readable.fromWeb(body), crlfDelay: Infinity });
        for await (const line of lines) if (line !== '') yield eventSchema.parse(JSON.parse(line));
      } finally {
        // also where the rest is not read
        ended.abort();
      }
    },

    async apply(object, signal) {
      const key = keyOf(object);
      const query = { fieldManager, force: 'true' };
      const [type, what] = ['application/apply-patch+yaml', describeKey(key)];
      return objectSchema.parse(
        await send({ method: 'PATCH', path: objectPath(key), query, body: object, type, what, signal }),
      );
    },

    async create(object, signal) {
      const { kind, metadata } = object;
      const [path, what] = [collectionPath(kind, metadata.namespace), describeKey(keyOf(object))];
      await send({ method: 'POST', path, query: { fieldManager }, body: object, what, signal });
    },

    async mark(object, marks, signal) {
      const { resourceVersion } = object.metadata;
      const key = keyOf(object);
      const body = { metadata: { ...marks, resourceVersion } };
      const [type, what] = ['application/merge-patch+json', describeKey(key)];
      const query = { fieldManager };
      await send({ method: 'PATCH', path: objectPath(key), query, body, type, what, signal });
    },

    async warningOf({ metadata: { namespace = '', uid } }, signal) {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
      const query = { fieldSelector: `involvedObject.uid=${uid},type=Warning`, limit: String(pageSize) };
      const { items } = warningsSchema.parse(
        await send({ method: 'GET', path, query, what: 'what the cluster warns of', signal }),
      );
      const at = ({ lastTimestamp, eventTime }: (typeof items)[number]) => lastTimestamp ?? eventTime ?? '';
      return items.sort((one, other) => (at(one) < at(other) ? -1 : 1)).at(-1)?.message;
    },

    async remove(key, uid, signal) {
      const body = { propagationPolicy: 'Foreground', preconditions: { uid } };
      try {
        await send({ method: 'DELETE', path: objectPath(key), body, what: describeKey(key), signal });
      } catch (error) {
        // gone already, or another one by now
        if (!isMissing(error) && !isConflict(error)) throw error;
      }
    },

    async whoAmI(signal) {
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const answer = await send({
        ...{ method: 'POST', path, body, what: 'to say who we are', isLook: true },
        signal,
      });
      return reviewSchema.parse(answer).status.userInfo.username;
    },
  };
}
