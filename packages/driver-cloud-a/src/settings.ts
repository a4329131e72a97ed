import { tiers } from '@sluice/contracts';
import { pairsIn } from '@sluice/drivers';
import { z } from 'zod';

const instanceTypes = z
  .partialRecord(z.enum(tiers), z.string().regex(/^[a-z0-9-]{1,30}\.[a-z0-9-]{1,30}$/))
  .refine((types) => Object.keys(types).length > 0);

export const cloudASettings = {
  CLOUD_A_IMAGE: z
    .string()
    .regex(/^ami-[0-9a-f]{8,17}$/, 'has to be the id of an image')
    .optional()
    .describe(
      'image of instances in accounts of customers: a Linux with systemd and cloud-init that they may use',
    ),
  CLOUD_A_INSTANCE_TYPES: z
    .string()
    .default(
      'free=t3.micro,small=t3.small,medium=t3.medium,large=m6i.large,xlarge=m6i.xlarge,2xlarge=m6i.2xlarge,' +
        '4xlarge=m6i.4xlarge,8xlarge=m6i.8xlarge,16xlarge=m6i.16xlarge',
    )
    .transform(pairsIn(instanceTypes, '<tier>=<type of instance>'))
    .describe('type of those instances by tier, such as small=t3.small,medium=t3.medium'),
};

export type CloudASettings = z.infer<z.ZodObject<typeof cloudASettings>>;
