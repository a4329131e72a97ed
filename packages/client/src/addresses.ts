import type { Client } from './generated/client/index.ts';
import { getContext, getStructure } from './generated/sdk.gen.ts';
import type { Context } from './generated/types.gen.ts';
import { clientError, SluiceError } from './error.ts';

export interface RegionName {
  cloud: string;
  region: string;
}

export interface Addresses {
  /** the Main API */
  url: string;
  /** the Audit API; without it the Main API is asked */
  auditUrl?: string | undefined;
  /** the Supervisor APIs, where they are known beforehand; without them the Main API is asked */
  supervisors?: (RegionName & { url: string })[] | undefined;
  /** where the Supervisor API of a region is reached in place of the address that the Main API knows, such as a path of the page's origin */
  supervisorUrl?: ((region: RegionName) => string) | undefined;
  /** the tenant in which deployments are looked for; without it the key's, for a session those that requests have named */
  tenant?: number | undefined;
}

/** Where a deployment is. */
export interface Place extends RegionName {
  tenant_id: number;
  division_id: number;
  environment_id: number;
  deployment_id: number;
  name: string;
  supervisor_url: string;
}

/** What leads a request of a supervisor to its region. */
export interface Aim {
  /** a region or the address of its supervisor */
  region: RegionName | string | undefined;
  path: Record<string, unknown>;
  signal: AbortSignal | null;
}

export interface AddressBook {
  /** of the Main API */
  url: string;
  /** The address of a layer. @throws SluiceError `address_unknown`, `address_insecure`, or why the Main API could not be asked */
  of(layer: string, aim: Aim): Promise<string>;
  /** @throws SluiceError `not_found` */
  locate(deploymentId: number, signal?: AbortSignal): Promise<Place>;
}

/** tenants that are remembered because requests have named them */
const mostTenants = 10;

/** how long is kept what the Main API has answered; an older place is used once more, and read again meanwhile */
const keepMs = 300_000;

/**
 * Finds the address of each layer, by asking the Main API.
 * @param client with which it is asked
 * @param isStrict whether it has to know the addresses of supervisors that the caller names
 */
export function addressBook(
  { url, auditUrl, supervisors = [], supervisorUrl, tenant }: Addresses,
  client: () => Client,
  isStrict = false,
): AddressBook {
  const places = new Map<number, Place>();
  const readAt = new Map<number, number>();
  const named = new Set<number>();
  const context = shared(() => readContext(client()), keepMs);
  const structures = new Map<number, () => Promise<void>>();

  async function tenants(): Promise<number[]> {
    const own = tenant ?? (await context())?.tenant?.id;
    return own === undefined ? [...named] : [own];
  }

  async function readPlaces(tenantId: number): Promise<void> {
    const { data } = await getStructure({ client: client(), path: { tenant_id: tenantId } });
    readAt.set(tenantId, performance.now());
    for (const [id, place] of places) if (place.tenant_id === tenantId) places.delete(id);
    for (const division of data.divisions)
      for (const environment of division.environments)
        for (const { id, name, cloud, region, supervisor_url } of environment.deployments)
          places.set(id, {
            tenant_id: tenantId,
            division_id: division.id,
            environment_id: environment.id,
            deployment_id: id,
            name,
            cloud,
            region,
            supervisor_url,
          });
  }

  async function readAgain(tenantId: number): Promise<void> {
    const read = structures.get(tenantId) ?? shared(() => readPlaces(tenantId), 0);
    structures.set(tenantId, read);
    await read();
  }

  async function findPlace(deploymentId: number): Promise<Place> {
    const known = places.get(deploymentId);
    if (known) {
      const isOld = performance.now() - (readAt.get(known.tenant_id) ?? 0) > keepMs;
      // regions can be reached without the Main API
      if (isOld) readAgain(known.tenant_id).catch(() => undefined);
      return known;
    }
    const searched = await tenants();
    for (const id of searched) {
      await readAgain(id).catch(searched.length > 1 ? unlessHidden : undefined);
      const found = places.get(deploymentId);
      if (found) return found;
    }
    if (searched.length === 0)
      throw clientError(
        'address_unknown',
        'Where to look for the deployment is not known: name its `tenant`.',
      );
    const detail = `There is no deployment ${deploymentId} among those that the caller may see.`;
    throw new SluiceError({ code: 'not_found', status: 404, title: 'Not found', detail });
  }

  async function auditAddress(): Promise<string> {
    const found = auditUrl ?? (await context())?.audit_url;
    if (found) return found;
    throw clientError(
      'address_unknown',
      'The Main API does not know the address of the Audit API: set `auditUrl`.',
    );
  }

  async function regionAddress({ cloud, region }: RegionName): Promise<string> {
    if (supervisorUrl) return supervisorUrl({ cloud, region });
    const isIt = (one: RegionName) => one.cloud === cloud && one.region === region;
    const found = supervisors.find(isIt)?.url ?? (await context())?.regions.find(isIt)?.supervisor_url;
    if (found) return found;
    throw clientError(
      'address_unknown',
      `There is no supervisor of ${cloud}/${region}: set \`supervisors\`.`,
    );
  }

  /** A session is its person, in all their tenants: it goes to the installation's own addresses only. */
  async function requireKnown(address: string): Promise<string> {
    const isIt = (one: { supervisor_url: string }) => sameAddress(one.supervisor_url, address);
    const isKnown =
      !isStrict ||
      supervisors.some((one) => sameAddress(one.url, address)) ||
      [...places.values()].some(isIt) ||
      (await context())?.regions.some(isIt);
    if (isKnown) return address;
    throw clientError('address_unknown', `${address} is no supervisor that the Main API knows.`);
  }

  async function supervisorAddress({ region, path }: Aim): Promise<string> {
    if (typeof region === 'string') return requireKnown(region);
    if (region !== undefined) return regionAddress(region);
    const { deployment_id: id } = path;
    if (id !== undefined) {
      const place = await findPlace(Number(id));
      return supervisorUrl ? supervisorUrl(place) : place.supervisor_url;
    }
    throw clientError('address_unknown', 'The operation is of a region: name it by `client.at(region)`.');
  }

  async function addressOf(layer: string, aim: Aim): Promise<string> {
    if (layer === 'main-api') return url;
    const found = layer === 'audit' ? await auditAddress() : await supervisorAddress(aim);
    if (url.startsWith('https:') && !found.startsWith('https:'))
      throw clientError('address_insecure', `No credential is sent to ${found}, which has no HTTPS.`);
    return found;
  }

  return {
    url,
    async of(layer, aim) {
      const { tenant_id: id } = aim.path;
      if (id !== undefined && named.size < mostTenants) named.add(Number(id));
      return await unlessAborted(addressOf(layer, aim), aim.signal);
    },
    locate: (deploymentId, signal) => unlessAborted(findPlace(deploymentId), signal),
  };
}

const sameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;

/** A tenant that the caller may not see is none of those. */
function unlessHidden(error: unknown): void {
  if (!(error instanceof SluiceError) || ![403, 404].includes(error.status)) throw error;
}

/** A Main API before 1.1.0 does not have it. */
async function readContext(client: Client): Promise<Context | undefined> {
  try {
    return (await getContext({ client })).data;
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'unknown_path') return undefined;
    throw error;
  }
}

/** One call at a time, for all who ask meanwhile; what it gave is kept for so long. A failure is not kept. */
function shared<T>(call: () => Promise<T>, keptMs: number): () => Promise<T> {
  let latest: { result: Promise<T>; until: number } | undefined;
  return () => {
    if (latest && performance.now() < latest.until) return latest.result;
    const one = { result: call(), until: Infinity };
    latest = one;
    one.result.then(
      () => (one.until = performance.now() + keptMs),
      () => (one.until = 0),
    );
    return one.result;
  };
}

/** Others may wait for the same: it goes on. */
async function unlessAborted<T>(result: Promise<T>, signal?: AbortSignal | null): Promise<T> {
  if (!signal) return await result;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  return await Promise.race([result, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
