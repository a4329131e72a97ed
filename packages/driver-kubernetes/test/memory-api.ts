import { keyOf, type ApiObject, type Kind, type ObjectKey, type Wanted } from '../src/compute/api-object.ts';
import type { KubernetesApi, WatchEvent } from '../src/compute/kubernetes-api.ts';

/**
 * The API of a cluster without controllers, in memory, for what a real one needs a cloud: addresses of load balancers. Objects have one
 * writer, so what was applied is what is there.
 */
export class MemoryApi implements KubernetesApi {
  readonly #objects = new Map<string, ApiObject & { kind: Kind }>();
  readonly #listeners = new Set<(event: WatchEvent) => void>();
  #version = 0;

  get(kind: Kind, name: string): ApiObject | undefined {
    return [...this.#objects.values()].find((one) => one.kind === kind && one.metadata.name === name);
  }

  /** What a controller says of an object. */
  setStatus(kind: Kind, name: string, status: object): void {
    const found = this.get(kind, name);
    if (!found) throw new Error(`there is no ${kind} ${name}`);
    this.#put({ ...found, kind, status });
  }

  read = (key: ObjectKey) => Promise.resolve(this.#objects.get(pathOf(key)));

  list: KubernetesApi['list'] = (kind, labels, _signal, namespace) => {
    const items = [...this.#objects.values()].filter(
      (one) =>
        one.kind === kind &&
        (namespace === undefined || one.metadata.namespace === namespace) &&
        matches(one, labels),
    );
    return Promise.resolve({ items, version: String(this.#version) });
  };

  async *watch(kind: Kind, labels: string, _since: string, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const waiting: WatchEvent[] = [];
    let wake = () => {};
    const listener = (event: WatchEvent) => {
      if (event.object.kind !== kind || !matches(event.object, labels)) return;
      waiting.push(event);
      wake();
    };
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => wake(), { once: true });
    while (!signal.aborted) {
      const event = waiting.shift();
      if (event) yield event;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    this.#listeners.delete(listener);
  }

  apply = (object: Wanted) =>
    Promise.resolve(this.#put({ ...object, status: this.#live(object)?.status ?? {} }));
  create = async (object: Wanted) => void (await this.apply(object));
  mark = () => Promise.resolve();
  warningOf = () => Promise.resolve(undefined);
  whoAmI = () => Promise.resolve('system:serviceaccount:test:supervisor');

  remove = (key: ObjectKey) => {
    const found = this.#objects.get(pathOf(key));
    this.#objects.delete(pathOf(key));
    if (found) this.#tell('DELETED', found);
    return Promise.resolve();
  };

  #live = (object: Wanted) => this.#objects.get(pathOf(keyOf(object)));

  #put(object: ApiObject & { kind: Kind }): ApiObject {
    const uid = this.#live(object)?.metadata.uid ?? String(this.#version);
    const metadata = { ...object.metadata, uid, resourceVersion: String(++this.#version) };
    const put = { ...object, metadata };
    this.#objects.set(pathOf(keyOf(object)), put);
    this.#tell('MODIFIED', put);
    return put;
  }

  #tell(type: WatchEvent['type'], object: ApiObject): void {
    for (const listener of this.#listeners) listener({ type, object });
  }
}

const pathOf = ({ kind, namespace = '', name }: ObjectKey) => `${kind} ${namespace}/${name}`;

function matches({ metadata: { labels = {} } }: ApiObject, selector: string): boolean {
  return selector.split(',').every((part) => {
    const [name = '', value] = part.split('=');
    return value === undefined ? name in labels : labels[name] === value;
  });
}
