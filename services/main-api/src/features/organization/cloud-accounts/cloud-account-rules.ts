import { clouds, otherClouds, type Cloud, type FieldIssue } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { canonicalIpv4Block } from '@sluice/system';
import type { components } from '../../../generated/api.ts';

export type CloudAccountSettings = components['schemas']['CloudAccountSettings'];

interface Checked {
  account_id?: string | null;
  settings?: CloudAccountSettings | null;
}

/**
 * What the OpenAPI document cannot say, since it depends on the cloud (interface, 2.9).
 * @throws Problem `invalid_request` with all that is wrong
 */
export function checkForCloud(cloud: Cloud, { account_id, settings }: Checked): void {
  const fieldIssues: FieldIssue[] = [];
  const refuse = (field: string, code: string, message: string) =>
    fieldIssues.push({ path: `/body/${field}`, code, message });
  const { pattern, expected } = clouds[cloud].savedAccount;
  if (account_id && !pattern.test(account_id)) refuse('account_id', 'wrong_format', `has to be ${expected}`);
  if (settings) checkSettings(cloud, settings, refuse);
  if (fieldIssues.length > 0) throw problem('invalid_request', { fieldIssues });
}

function checkSettings(
  cloud: Cloud,
  settings: CloudAccountSettings,
  refuse: (field: string, code: string, message: string) => void,
): void {
  for (const other of otherClouds(cloud))
    if (settings[other]) refuse(`settings/${other}`, 'not_allowed', `is not the cloud of this account`);
  const own = settings[cloud];
  if (!own) return refuse(`settings/${cloud}`, 'required', 'is required');
  const block = own.vpc_cidr;
  if (typeof block !== 'string') return;
  const canonical = canonicalIpv4Block(block);
  if (canonical === block) return;
  const message =
    canonical === null
      ? 'has to be an IPv4 block such as 10.20.0.0/16'
      : `has bits below its prefix or a leading zero: write ${canonical}`;
  refuse(`settings/${cloud}/vpc_cidr`, 'wrong_format', message);
}
