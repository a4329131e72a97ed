import type { Labels } from '@sluice/client';
import { setLabel } from '../document/canonical.ts';

/** The labels that people have given, without that of a set. */
export const ownLabels = ({ [setLabel]: _set, ...labels }: Labels): Labels => labels;
