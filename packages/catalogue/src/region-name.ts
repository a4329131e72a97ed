import type { Cloud } from '@sluice/contracts';
import type { Catalogue } from './catalogue.ts';

/** The name of a region as the catalogue has it; else its key. */
export const regionName = ({ clouds }: Pick<Catalogue, 'clouds'>, cloud: Cloud, region: string): string =>
  clouds.find(({ key }) => key === cloud)?.regions.find(({ key }) => key === region)?.name ?? region;
