import { operations } from './generated/operations.ts';

/** An operation of one of the three APIs, as its document declares it. */
export interface Operation {
  id: string;
  layer: string;
  method: string;
  /** with parameters: `/tenants/{tenant_id}` */
  path: string;
  summary: string;
  description: string;
  /** in words; undefined where no permission is needed */
  permission?: string | undefined;
  /** whether it answers pages */
  paged: boolean;
  parameters: (Field & { in: string })[];
  body?: { required: boolean; fields: Field[]; example?: unknown };
}

export interface Field {
  name: string;
  required: boolean;
  description: string;
  values?: string[];
}

export const allOperations: readonly Operation[] = operations;

export const operationById = (id: string): Operation | undefined =>
  allOperations.find((operation) => operation.id.toLowerCase() === id.toLowerCase());

/** Those that a request can be of: a path can be one of several layers. */
export function operationsOf(method: string, path: string): Operation[] {
  const wanted = path.split('/');
  const isIt = (segment: string, at: number) => /^\{.*\}$/.test(segment) || segment === wanted[at];
  const fitting = allOperations.filter((operation) => {
    const segments = operation.path.split('/');
    return (
      operation.method === method.toUpperCase() && segments.length === wanted.length && segments.every(isIt)
    );
  });
  // `/deployments/starter` is not `/deployments/{deployment_id}`
  const parameters = ({ path: its }: Operation) => its.split('{').length;
  const least = Math.min(...fitting.map(parameters));
  return fitting.filter((operation) => parameters(operation) === least);
}

export const findOperation = (method: string, path: string): Operation | undefined =>
  operationsOf(method, path)[0];
