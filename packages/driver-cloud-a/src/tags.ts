import type { ResourceType, Tag, TagSpecification } from '@aws-sdk/client-ec2';

/** Every object of a region at the cloud has these, so it is found again without the database. */

export const linkTag = 'sluice:link';
export const deploymentTag = 'sluice:deployment';

/** a filter of the cloud's own; what comes is looked at again, for not every server filters */
export const withTag = (key: string, value: string) => [{ Name: `tag:${key}`, Values: [value] }];

export function hasTag(resource: { Tags?: Tag[] | undefined }, key: string, value: string): boolean {
  return resource.Tags?.some((tag) => tag.Key === key && tag.Value === value) ?? false;
}

export function tagged(type: ResourceType, tags: Record<string, string>): TagSpecification[] {
  return [
    {
      ResourceType: type,
      Tags: [...Object.entries(tags), ['Name', 'sluice'] as const].map(([Key, Value]) => ({ Key, Value })),
    },
  ];
}
