import { seesDivision, seesEnvironment } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { isPermitted, type Location } from '../key-authorizer.ts';
import { operationsOf, type OpenApiDocument } from '../openapi/document.ts';
import { declarationOf, type Declaration } from '../openapi/permission.ts';
import type { Change } from './changes.store.ts';

/** By which operations objects of a kind are read: each, by its id, says that there is such an object and where. */
export interface ReadBy {
  /** an object of the tenant's own */
  tenant?: string[];
  /** one in a division */
  division?: string[];
}

/** By the names of kinds. */
export type Kinds = Record<string, ReadBy>;

interface Reading {
  declaration: Extract<Declaration, { kind: 'permission' }>;
  /** whether its path names the division, and the environment: what the caller does not see there is not found */
  division: boolean;
  environment: boolean;
}

/**
 * Whether a caller may know of a change: when they may read the object by one of the operations of its kind.
 * @throws Error for an operation that the document does not have, or that asks for no permission
 */
export function shownChanges(document: OpenApiDocument, kinds: Kinds) {
  const operations = new Map(operationsOf(document).map((each) => [each.operation.operationId, each]));
  const readingOf = (id: string): Reading => {
    const declared = operations.get(id);
    if (!declared) throw new Error(`There is no operation ${id}`);
    const declaration = declarationOf(declared);
    if (declaration.kind !== 'permission') throw new Error(`The operation ${id} asks for no permission`);
    const inDeployment = declared.path.startsWith('/deployments/');
    return {
      declaration,
      division: inDeployment || declared.path.includes('{division_id}'),
      environment: inDeployment || declared.path.includes('{environment_id}'),
    };
  };
  const readings = new Map(
    Object.entries(kinds).map(([kind, { tenant = [], division = [] }]) => [
      kind,
      { tenant: tenant.map(readingOf), division: division.map(readingOf) },
    ]),
  );

  return (caller: Caller, { kind, tenant_id, division_id, environment_id }: Change): boolean => {
    const location = {
      tenant: tenant_id,
      division: division_id ?? undefined,
      environment: environment_id ?? undefined,
    };
    const ways = readings.get(kind)?.[division_id === null ? 'tenant' : 'division'] ?? [];
    return ways.some(
      (way) => isSeen(caller, way, location) && isPermitted(caller, way.declaration, location),
    );
  };
}

function isSeen({ permissions }: Caller, way: Reading, { division, environment }: Location): boolean {
  if (way.division && division !== undefined && !seesDivision(permissions, division)) return false;
  if (!way.environment || division === undefined || environment === undefined) return true;
  return seesEnvironment(permissions, division, environment);
}
