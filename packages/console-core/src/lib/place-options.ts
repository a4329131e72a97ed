import type { Structure } from '@sluice/client';

export interface PlaceOption {
  key: string;
  label: string;
  division: number;
  environment: number | null;
}

/** The divisions of a tenant and their environments, as options of a field. */
export const placeOptions = ({ divisions }: Pick<Structure, 'divisions'>): PlaceOption[] =>
  divisions.flatMap(({ id, name, environments }): PlaceOption[] => [
    { key: `${id}`, label: name, division: id, environment: null },
    ...environments.map((environment) => ({
      key: `${id}/${environment.id}`,
      label: `${name}/${environment.name}`,
      division: id,
      environment: environment.id,
    })),
  ]);
