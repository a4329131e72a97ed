import type { Adapter, AdapterPayload } from 'oidc-provider';

/** What the provider remembers, while its process lives. */
export class Memory implements Adapter {
  readonly #all: Map<string, AdapterPayload>;
  readonly #kind: string;

  private constructor(kind: string, all: Map<string, AdapterPayload>) {
    this.#kind = kind;
    this.#all = all;
  }

  /** The memories of one provider, by what they are of. */
  static ofOneProvider(): (kind: string) => Adapter {
    const all = new Map<string, AdapterPayload>();
    return (kind) => new Memory(kind, all);
  }

  #key = (id: string) => `${this.#kind} ${id}`;
  #search = (wanted: (payload: AdapterPayload) => boolean) =>
    [...this.#all].find(([key, payload]) => key.startsWith(`${this.#kind} `) && wanted(payload))?.[1];

  async upsert(id: string, payload: AdapterPayload, seconds?: number): Promise<void> {
    this.#all.set(this.#key(id), payload);
    if (seconds !== undefined) setTimeout(() => this.#all.delete(this.#key(id)), seconds * 1000).unref();
  }
  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#all.get(this.#key(id));
  }
  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#search((payload) => payload.userCode === userCode);
  }
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#search((payload) => payload.uid === uid);
  }
  async consume(id: string): Promise<void> {
    const payload = this.#all.get(this.#key(id));
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id: string): Promise<void> {
    this.#all.delete(this.#key(id));
  }
  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of this.#all) if (payload.grantId === grantId) this.#all.delete(key);
  }
}
