import ipaddr from 'ipaddr.js';

/** What a project has of networks, and what becomes of changes to it: by operations, after a while, as far as nothing is in the way. */

export type Resource = Record<string, unknown>;
export interface Address {
  project: string;
  /** `global`, `aggregated`, `regions/…`, `zones/…` */
  scope: string;
  collection: string;
  name: string | undefined;
  verb: string;
  action: string;
}

export class ApiError extends Error {
  readonly status: number;
  readonly reason: string;
  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

interface Peering {
  name: string;
  network: string;
  state?: string;
  stateDetails?: string;
}

const root = 'https://www.googleapis.com/compute/v1/';
/** so that a client that does not ask for the next page misses something */
const pageSize = 2;
const operationMilliseconds = 10;
/** what is changed only by who has read it */
const fingerprinted = ['backendServices', 'serviceAttachments'];

export const isReadOf = ({ verb }: Pick<Address, 'verb'>) => ['get', 'list', 'listInstances'].includes(verb);
const absent = (path: string) => new ApiError(404, 'notFound', `The resource '${path}' was not found`);
const pathOf = (link: unknown) => (typeof link === 'string' ? link.replace(/^.*?(?=projects\/)/, '') : '');
const overlap = (one: string, other: string) => {
  const [first, firstBits] = ipaddr.IPv4.parseCIDR(one);
  const [second, secondBits] = ipaddr.IPv4.parseCIDR(other);
  return first.match(second, Math.min(firstBits, secondBits));
};

export class ComputeState {
  readonly #resources = new Map<string, Resource>();
  readonly #operations = new Map<string, Resource>();
  readonly #busy = new Set<string>();
  readonly #members = new Map<string, Set<string>>();
  #numbers = 0;

  all(collection: string): Resource[] {
    return this.#paths(collection).map((path) => this.#shown(path));
  }

  members(): string[] {
    return [...this.#members.values()]
      .flatMap((links) => [...links].map((link) => link.replace(/^.*\//, '')))
      .sort();
  }

  /** Puts something there that was not asked for by this API: it is another project's, or of another program. */
  put(path: string, content: Resource): string {
    this.#resources.set(path, this.#complete(path, content));
    return root + path;
  }
  change(path: string, content: Resource): void {
    this.#resources.set(path, { ...this.#resources.get(path), ...content });
  }
  drop(path: string): void {
    this.#resources.delete(path);
  }

  handle(address: Address, body: Resource, query: URLSearchParams): unknown {
    const { project, scope, collection, name, verb } = address;
    const path = `projects/${project}/${scope}/${collection}${name === undefined ? '' : `/${name}`}`;
    if (collection === 'operations') return this.#operations.get(path) ?? refuse(absent(path));
    if (scope === 'aggregated' || verb === 'list') return this.#list(address, query);
    if (verb === 'insert') return this.#insert(address, `${path}/${String(body['name'])}`, body);
    if (!this.#resources.has(path)) throw absent(path);
    if (verb === 'get') return this.#shown(path);
    if (verb === 'listInstances')
      return page(
        [...(this.#members.get(path) ?? [])].map((instance) => ({ instance })),
        query,
      );
    if (this.#busy.has(path))
      throw new ApiError(400, 'resourceNotReady', `The resource '${path}' is not ready`);
    return this.#operation(address, path, this.#changeOf(path, verb, body));
  }

  /** @returns what it will do; it is checked before */
  #changeOf(path: string, verb: string, body: Resource): () => void {
    switch (verb) {
      case 'delete':
        this.#requireUnused(path);
        return () => {
          this.#resources.delete(path);
          this.#members.delete(path);
        };
      case 'patch':
        this.#requireFingerprint(path, body);
        this.#requireReferences(body);
        return () =>
          this.#resources.set(path, this.#complete(path, { ...this.#resources.get(path), ...body }));
      case 'addPeering':
        return this.#addPeering(path, body['networkPeering'] as Peering & { exchangeSubnetRoutes?: boolean });
      case 'removePeering': {
        const rest = this.#peerings(path).filter(({ name }) => name !== body['name']);
        if (rest.length === this.#peerings(path).length)
          throw new ApiError(400, 'invalid', `There is no peering ${String(body['name'])}`);
        return () => this.change(path, { peerings: rest });
      }
      case 'addInstances':
      case 'removeInstances': {
        const links = (body['instances'] as { instance: string }[]).map(
          ({ instance }) => root + pathOf(instance),
        );
        const members = this.#members.get(path) ?? new Set();
        this.#members.set(path, members);
        if (verb === 'addInstances') this.#requireReferences({ links });
        if (links.some((link) => members.has(link) === (verb === 'addInstances')))
          throw new ApiError(400, 'memberAlreadyExists', 'membership is not as it would have to be');
        return () =>
          links.forEach((link) => (verb === 'addInstances' ? members.add(link) : members.delete(link)));
      }
      default:
        throw new ApiError(404, 'notFound', `there is no method ${verb}`);
    }
  }

  #insert(address: Address, path: string, body: Resource): unknown {
    if (this.#resources.has(path) || this.#busy.has(path))
      throw new ApiError(409, 'alreadyExists', `The resource '${path}' already exists`);
    this.#requireReferences(body);
    if (address.collection === 'subnetworks') this.#requireRoom(body);
    return this.#operation(address, path, () => {
      // another may have come to pass meanwhile
      if (address.collection === 'subnetworks') this.#requireRoom(body);
      this.#resources.set(path, this.#complete(path, body));
    });
  }

  #operation({ project, scope, action }: Address, target: string, effect: () => unknown): Resource {
    const name = `operation-${(this.#numbers += 1)}`;
    const path = `projects/${project}/${scope}/operations/${name}`;
    const [kind = '', place] = scope.split('/');
    const where = place === undefined ? {} : { [kind.slice(0, -1)]: `${root}projects/${project}/${scope}` };
    const operation = { name, ...where, operationType: action, targetLink: root + target, status: 'RUNNING' };
    this.#operations.set(path, operation);
    this.#busy.add(target);
    setTimeout(() => {
      this.#busy.delete(target);
      this.#operations.set(path, { ...operation, status: 'DONE', ...outcomeOf(effect) });
    }, operationMilliseconds).unref();
    return operation;
  }

  #addPeering(path: string, peering: Peering & { exchangeSubnetRoutes?: boolean }): () => void {
    const peer = pathOf(peering.network);
    if (peering.exchangeSubnetRoutes !== true)
      throw new ApiError(400, 'invalid', 'exchangeSubnetRoutes must be true');
    const known = this.#peerings(path);
    if (known.some(({ name, network }) => name === peering.name || pathOf(network) === peer))
      throw new ApiError(400, 'invalid', 'There is already a peering connection with this name or network');
    if (this.#busy.has(peer))
      throw new ApiError(400, 'badRequest', 'There is a peering operation in progress. Try again later.');
    const theirs = this.#subnets(peer);
    for (const { ipCidrRange } of this.#subnets(path))
      if (theirs.some((other) => overlap(String(other.ipCidrRange), String(ipCidrRange))))
        throw new ApiError(
          400,
          'invalid',
          `An IP range in the local network (${String(ipCidrRange)}) overlaps`,
        );
    return () =>
      this.change(path, { peerings: [...this.#peerings(path), { ...peering, network: root + peer }] });
  }

  #list({ project, scope, collection }: Address, query: URLSearchParams): unknown {
    const begin = scope === 'aggregated' ? `projects/${project}/` : `projects/${project}/${scope}/`;
    const [, field = '', value = ''] = /^(\S+) eq (.+)$/.exec(query.get('filter') ?? '') ?? [];
    const found = this.#paths(collection)
      .filter((path) => path.startsWith(begin))
      .map((path) => this.#shown(path))
      .filter((one) => field === '' || new RegExp(`^(${value})$`).test(String(fieldOf(one, field))));
    const { items, nextPageToken } = page(found, query);
    if (scope !== 'aggregated') return { items, nextPageToken };
    const scoped: Record<string, Resource> = {};
    for (const item of items) {
      const at = pathOf(item['selfLink']).split('/').slice(2, 4).join('/');
      const others = (scoped[at]?.[collection] as Resource[] | undefined) ?? [];
      scoped[at] = { [collection]: [...others, item] };
    }
    return { items: scoped, nextPageToken };
  }

  #paths(collection: string): string[] {
    return [...this.#resources.keys()].filter((path) => path.split('/').at(-2) === collection);
  }

  #complete(path: string, content: Resource): Resource {
    const [, , kind = '', place] = path.split('/');
    const collection = path.split('/').at(-2) ?? '';
    const where = kind === 'global' ? {} : { [kind.slice(0, -1)]: place };
    const mark = fingerprinted.includes(collection) ? { fingerprint: `f${(this.#numbers += 1)}` } : {};
    return { ...content, ...where, ...mark, name: path.split('/').at(-1), selfLink: root + path };
  }

  /** Whether a peering is active depends on the other network. */
  #shown(path: string): Resource {
    const resource = this.#resources.get(path) ?? {};
    if (!Array.isArray(resource['peerings'])) return resource;
    const peerings = this.#peerings(path).map((peering) => {
      const isMutual = this.#peerings(pathOf(peering.network)).some(
        ({ network }) => pathOf(network) === path,
      );
      const stateDetails = isMutual ? 'Connected.' : 'Waiting for peer network to connect.';
      return { ...peering, state: isMutual ? 'ACTIVE' : 'INACTIVE', stateDetails };
    });
    return { ...resource, peerings };
  }

  #peerings(path: string): Peering[] {
    return (this.#resources.get(path)?.['peerings'] as Peering[] | undefined) ?? [];
  }

  #subnets(network: string): Resource[] {
    return this.#paths('subnetworks')
      .map((path) => this.#resources.get(path) ?? {})
      .filter((subnet) => pathOf(subnet['network']) === network);
  }

  #requireRoom({ network, ipCidrRange }: Resource): void {
    const others = this.#subnets(pathOf(network));
    const other = others.find((one) => overlap(String(one['ipCidrRange']), String(ipCidrRange)));
    if (other)
      throw new ApiError(
        400,
        'invalid',
        `${String(ipCidrRange)} conflicts with ${String(other['selfLink'])}`,
      );
  }

  #requireReferences(body: unknown): void {
    for (const [link] of JSON.stringify(body).matchAll(/projects\/[^"]+/g)) {
      if (this.#busy.has(link))
        throw new ApiError(400, 'resourceNotReady', `The resource '${link}' is not ready`);
      if (!this.#resources.has(link)) throw absent(link);
    }
  }

  #requireUnused(path: string): void {
    const name = `"${root}${path}"`;
    const user = [...this.#resources].find(
      ([other, content]) =>
        other !== path &&
        !other.includes('/networks/') &&
        JSON.stringify({ ...content, selfLink: '' }).includes(name),
    );
    const used = (by: string) =>
      new ApiError(400, 'resourceInUseByAnotherResource', `'${path}' is already being used by '${by}'`);
    if (user) throw used(user[0]);
    if (this.#peerings(path).length > 0) throw used('a peering');
  }

  #requireFingerprint(path: string, body: Resource): void {
    const { fingerprint } = this.#resources.get(path) ?? {};
    if (fingerprint !== undefined && body['fingerprint'] !== fingerprint)
      throw new ApiError(412, 'conditionNotMet', 'Invalid fingerprint.');
  }
}

/** An operation that fails has come to its end as well. */
function outcomeOf(effect: () => unknown): Resource {
  try {
    effect();
    return { progress: 100 };
  } catch (error) {
    const { reason: code, message, status } = error as ApiError;
    return { error: { errors: [{ code, message }] }, httpErrorStatusCode: status };
  }
}

function refuse(error: ApiError): never {
  throw error;
}

function page<T>(all: T[], query: URLSearchParams): { items: T[]; nextPageToken?: string } {
  const from = Number(query.get('pageToken') ?? 0);
  const rest = all.length > from + pageSize ? { nextPageToken: String(from + pageSize) } : {};
  return { items: all.slice(from, from + pageSize), ...rest };
}

const fieldOf = (resource: Resource, field: string): unknown =>
  field.split('.').reduce<unknown>((value, key) => (value as Resource | undefined)?.[key], resource);
