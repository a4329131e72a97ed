import { nameOf, pathOf, segmentsOf } from '@sluice/apply/place-path';
import { getStructure, type SluiceClient, type Structure } from '@sluice/client';
import { CliError, exitCodes, notFound } from '@sluice/terminal/errors';

export type PlaceKind = 'division' | 'environment' | 'deployment';

export interface DivisionPlace {
  kind: 'division';
  tenant_id: number;
  division_id: number;
  name: string;
  /** as the place is written: `payments` */
  path: string;
}

export interface EnvironmentPlace extends Omit<DivisionPlace, 'kind'> {
  kind: 'environment';
  environment_id: number;
}

export interface DeploymentPlace extends Omit<EnvironmentPlace, 'kind'> {
  kind: 'deployment';
  deployment_id: number;
  cloud: string;
  region: string;
  supervisor_url: string;
}

export interface PlaceOf {
  division: DivisionPlace;
  environment: EnvironmentPlace;
  deployment: DeploymentPlace;
}

type AnyPlace = PlaceOf[PlaceKind];

export type Places = ReturnType<typeof createPlaces>;

/**
 * Finds places by what people write: `payments/dev/orders`, a part of it from its end on (`dev/orders`, `orders`), or an id. A segment is
 * an id where there is such an id, else a name; case counts only where names differ by nothing else. `%2F` stands for a slash in a name.
 */
export function createPlaces(
  client: SluiceClient,
  tenantId: () => Promise<number>,
  base: string | null,
  signal: AbortSignal,
) {
  let tree: Promise<AnyPlace[]> | undefined;
  const all = () => (tree ??= readPlaces(client, tenantId, signal));

  async function candidates(text: string, kind: PlaceKind): Promise<AnyPlace[]> {
    const wanted = segmentsOf(text);
    if (wanted.length === 0) return [];
    const ofKind = (await all()).filter((place) => place.kind === kind);
    // an id is one everywhere
    const byId = wanted.length === 1 ? ofKind.filter((place) => String(idOf(place)) === wanted[0]) : [];
    if (byId.length > 0) return byId;
    const fitting = (prefix: readonly string[]) => best(ofKind, [...prefix, ...wanted]);
    const bases = base === null ? [] : base.split('/');
    // `orders` is the one in the default place, if there is one
    for (let length = bases.length; length > 0; length--) {
      const found = length + wanted.length === depths[kind] ? fitting(bases.slice(0, length)) : [];
      if (found.length > 0) return found;
    }
    return wanted.length <= depths[kind] ? fitting([]) : [];
  }

  return {
    /** All places of a kind, in the order of the structure. */
    async list<K extends PlaceKind>(kind: K): Promise<PlaceOf[K][]> {
      return (await all()).filter((place): place is PlaceOf[K] => place.kind === kind);
    },
    /**
     * @param text what was written; without it the default place, if that is of the kind
     * @throws CliError not found, or ambiguous with the candidates
     */
    async find<K extends PlaceKind>(kind: K, text: string | undefined): Promise<PlaceOf[K]> {
      const written = text ?? baseOf(base, kind);
      if (written === undefined)
        throw new CliError({
          exitCode: exitCodes.usage,
          message: `Which ${kind}?`,
          next: `name it, such as ${examples[kind]}, or set a default place: sluice context use --place …`,
        });
      const found = await candidates(written, kind);
      if (found.length === 1) return found[0] as PlaceOf[K];
      if (found.length === 0)
        throw notFound(
          `There is no ${kind} ${JSON.stringify(written)} among those that you may see.`,
          `sluice ${kind}s list`,
        );
      throw new CliError({
        exitCode: exitCodes.usage,
        message: `${JSON.stringify(written)} can be several ${kind}s:`,
        details: found.map((place) => `${place.path}  (id ${idOf(place)})`),
        next: 'write more of the path, or the id',
      });
    },
  };
}

const depths = { division: 1, environment: 2, deployment: 3 };
const examples = { division: 'payments', environment: 'payments/dev', deployment: 'payments/dev/orders' };

/** The default place as far as the kind reaches. */
function baseOf(base: string | null, kind: PlaceKind): string | undefined {
  const segments = base?.split('/') ?? [];
  return segments.length >= depths[kind] ? segments.slice(0, depths[kind]).join('/') : undefined;
}

const idOf = (place: AnyPlace): number =>
  place.kind === 'deployment'
    ? place.deployment_id
    : place.kind === 'environment'
      ? place.environment_id
      : place.division_id;

const idsOf = (place: AnyPlace): number[] =>
  [
    place.division_id,
    'environment_id' in place ? place.environment_id : 0,
    'deployment_id' in place ? place.deployment_id : 0,
  ].slice(0, depths[place.kind]);

/** Those whose last segments fit: by id where one has it, else by name, else by name without regard to case. */
function best(places: readonly AnyPlace[], wanted: readonly string[]): AnyPlace[] {
  const segments = wanted.map(nameOf);
  const fits = (place: AnyPlace, same: (its: string, id: number, text: string) => boolean) => {
    const names = place.path.split('/').map(nameOf).slice(-segments.length);
    const ids = idsOf(place).slice(-segments.length);
    return segments.every((segment, at) => same(names[at] ?? '', ids[at] ?? 0, segment));
  };
  const ways: ((name: string, id: number, text: string) => boolean)[] = [
    (_name, id, text) => String(id) === text,
    (name, id, text) => String(id) === text || name === text,
    (name, id, text) => String(id) === text || name.toLowerCase() === text.toLowerCase(),
  ];
  for (const way of ways) {
    const found = places.filter((place) => fits(place, way));
    if (found.length > 0) return found;
  }
  return [];
}

async function readPlaces(
  client: SluiceClient,
  tenantId: () => Promise<number>,
  signal: AbortSignal,
): Promise<AnyPlace[]> {
  const { data } = await getStructure({ client, path: { tenant_id: await tenantId() }, signal });
  return placesOf(data);
}

function placesOf({ id: tenant_id, divisions }: Structure): AnyPlace[] {
  return divisions.flatMap((division) => {
    const ofDivision = { tenant_id, division_id: division.id };
    const inDivision = division.environments.flatMap((environment) => {
      const ofEnvironment = { ...ofDivision, environment_id: environment.id };
      const deployments = environment.deployments.map(
        ({ id, name, cloud, region, supervisor_url }): DeploymentPlace => ({
          kind: 'deployment',
          ...ofEnvironment,
          deployment_id: id,
          name,
          path: pathOf(division.name, environment.name, name),
          cloud,
          region,
          supervisor_url,
        }),
      );
      const path = pathOf(division.name, environment.name);
      return [
        { kind: 'environment' as const, ...ofEnvironment, name: environment.name, path },
        ...deployments,
      ];
    });
    return [
      { kind: 'division' as const, ...ofDivision, name: division.name, path: pathOf(division.name) },
      ...inDivision,
    ];
  });
}
