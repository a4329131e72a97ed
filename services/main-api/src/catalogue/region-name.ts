import type { Cloud } from '@sluice/contracts';
import type { Core } from '../core.ts';

/** The name of a region as the catalogue has it; else its key. */
export const regionName = ({ clouds }: Core['catalogue'], cloud: Cloud, region: string): string =>
  clouds.find(({ key }) => key === cloud)?.regions.find(({ key }) => key === region)?.name ?? region;
