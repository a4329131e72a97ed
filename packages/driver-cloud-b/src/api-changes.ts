import { setTimeout as pauseFor } from 'node:timers/promises';
import type { compute_v1, Step } from './clients.ts';
import { asCloudError, CloudError, isAbsent, isBusy, UnderWay } from './errors.ts';

interface Options {
  signal: AbortSignal;
}
type Ask<T> = (options: Options) => Promise<{ data: T }>;

const pauses = { first: 30, factor: 2, longest: 2_000 };

async function read<T>({ call: { signal } }: Step, ask: Ask<T>): Promise<T> {
  signal.throwIfAborted();
  const { data } = await ask({ signal }).catch((error: unknown) => {
    throw asCloudError(error);
  });
  return data;
}

/** As `read`; undefined for what there is not. */
export async function find<T>(step: Step, ask: Ask<T>): Promise<T | undefined> {
  return await read(step, ask).catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
}

export async function* pages<T extends { nextPageToken?: string | null }>(
  step: Step,
  ask: (pageToken: string | undefined, options: Options) => Promise<{ data: T }>,
): AsyncGenerator<T> {
  let token: string | undefined;
  do {
    const page = await read(step, (options) => ask(token, options));
    yield page;
    token = page.nextPageToken ?? undefined;
  } while (token !== undefined && token !== '');
}

/**
 * Has the cloud change something, and waits until it has.
 * @throws UnderWay when that takes long, or something else is about the same thing; CloudError when it fails
 */
export async function change(step: Step, ask: Ask<compute_v1.Schema$Operation>): Promise<void> {
  if (performance.now() > step.until) throw new UnderWay();
  await step.call.confirm();
  try {
    const { error, httpErrorStatusCode } = await ended(step, await read(step, ask));
    const [first] = error?.errors ?? [];
    if (first) throw new CloudError(first.code ?? 'failed', httpErrorStatusCode ?? 400, first.message ?? '');
  } catch (error) {
    throw isBusy(error) ? new UnderWay() : error;
  }
}

async function ended(step: Step, begun: compute_v1.Schema$Operation): Promise<compute_v1.Schema$Operation> {
  let operation = begun;
  for (let pause = pauses.first; operation.status !== 'DONE'; pause *= pauses.factor) {
    if (performance.now() > step.until) throw new UnderWay();
    await pauseFor(Math.min(pause, pauses.longest), undefined, { signal: step.call.signal });
    const seen = await find(step, (options) => operationOf(step, operation, options));
    if (!seen) throw new UnderWay();
    operation = seen;
  }
  return operation;
}

/** An operation is where what it changes is. */
function operationOf(
  { api, project }: Step,
  { name, zone, region }: compute_v1.Schema$Operation,
  options: Options,
) {
  const operation = name ?? '';
  if (typeof zone === 'string')
    return api.zoneOperations.get({ project, zone: lastPart(zone), operation }, options);
  if (typeof region === 'string')
    return api.regionOperations.get({ project, region: lastPart(region), operation }, options);
  return api.globalOperations.get({ project, operation }, options);
}

/** How something of a kind is asked for, made and deleted, by its name and the mark of its owner. */
export interface Kind<T> {
  get: Ask<T>;
  insert: Ask<compute_v1.Schema$Operation>;
  delete: Ask<compute_v1.Schema$Operation>;
  /** in the description; an object with a name of ours and without it is foreign */
  mark: string;
}

interface Marked {
  name?: string | null;
  description?: string | null;
}

export type Place = { project: string } & Partial<Record<'region' | 'zone', string>>;

/** Each collection of the API has its own types of the same requests. */
interface Collection<T> {
  get(about: object, options: Options): Promise<{ data: T }>;
  insert(wanted: object, options: Options): Promise<{ data: compute_v1.Schema$Operation }>;
  delete(about: object, options: Options): Promise<{ data: compute_v1.Schema$Operation }>;
}

/** @param noun what the collection calls the name of one of its objects */
export function kindOf<T extends Marked>(
  collection: Collection<T>,
  noun: string,
  { project, region, zone }: Place,
  requestBody: T & { name: string; description: string },
): Kind<T> {
  const place = { project, ...(region !== undefined && { region }), ...(zone !== undefined && { zone }) };
  const about = { ...place, [noun]: requestBody.name };
  return {
    mark: requestBody.description,
    get: (options) => collection.get(about, options),
    insert: (options) => collection.insert({ ...place, requestBody }, options),
    delete: (options) => collection.delete(about, options),
  };
}

export async function ensure<T extends Marked>(step: Step, kind: Kind<T>): Promise<T> {
  const found = await find(step, kind.get);
  if (found) {
    if (found.description !== kind.mark)
      throw new Error(`${found.name} is at the cloud and not of this region`);
    return found;
  }
  await change(step, kind.insert);
  const made = await find(step, kind.get);
  if (!made) throw new UnderWay();
  return made;
}

/** Takes away what bears the mark. @returns whether it was there */
export async function remove(step: Step, kind: Kind<Marked>): Promise<boolean> {
  const found = await find(step, kind.get);
  if (found?.description !== kind.mark) return false;
  await change(step, kind.delete).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
  return true;
}

export const lastPart = (link: string) => link.slice(link.lastIndexOf('/') + 1);

/** `projects/…`, by which links to one object are equal, also with another host. */
export const pathOf = (link: string | null | undefined) => link?.replace(/^.*?(?=projects\/)/, '') ?? '';

export function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry) => other.includes(entry));
}
