import type { Cloud } from '@sluice/client';
import type { CloudPages, LinkKind } from './cloud.ts';
import { cloudA } from './cloud-a.ts';
import { cloudAActions } from './cloud-a-actions.ts';
import { cloudB } from './cloud-b.ts';
import { cloudBActions } from './cloud-b-actions.ts';

/** The actions that one cloud alone has. */
export const cloudActions = { ...cloudAActions, ...cloudBActions } as const;

type CloudAction = keyof typeof cloudActions;

/** A kind of link, with actions of the console's table. */
export type ShownLinkKind = LinkKind<CloudAction>;

export const clouds: Readonly<Record<Cloud, CloudPages<CloudAction>>> = { cloud_a: cloudA, cloud_b: cloudB };
export const cloudNames = Object.keys(clouds) as Cloud[];

/** The cloud that forms begin with. */
export const firstCloud = cloudNames[0]!;
