import ipaddr from 'ipaddr.js';
import { z } from 'zod';

export const cloudBSettings = {
  CLOUD_B_API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'address of the API of cloud_b where it is not the public one, such as that of a private endpoint',
    ),
  CLOUD_B_NAT_RANGE: z
    .string()
    .refine(
      (range) => ipaddr.IPv4.isValidCIDR(range) && ipaddr.IPv4.parseCIDR(range)[1] <= 24,
      'has to be an IPv4 block of 24 bits at most',
    )
    .default('100.64.0.0/16')
    .describe(
      'block that packets of endpoints come from on cloud_b, a /24 for each attachment; used again in the network of each deployment',
    ),
};
