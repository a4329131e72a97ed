import { EC2Client } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { codeOf } from '../error-code.ts';
import { LinkRefused } from '@sluice/drivers';

export interface Clients {
  ec2: EC2Client;
  balancing: ElasticLoadBalancingV2Client;
}

/**
 * Credentials and endpoints are found as the SDK finds them (`AWS_…`, files, the machine's role). Nothing is tried again by the SDK: a create
 * whose answer was lost would be made twice. The caller looks for what there is, and repeats the whole.
 */
export function clientsOf(region: string): Clients {
  const options = { region, maxAttempts: 1 };
  return { ec2: new EC2Client(options), balancing: new ElasticLoadBalancingV2Client(options) };
}

/** What the API says to a request that it will say to the same request tomorrow. */
const finalCodes: ReadonlySet<string> = new Set([
  'InvalidPeerRegion',
  'InvalidParameterValue',
  'InvalidVpcID.NotFound',
  'InvalidVpcId.Malformed',
  'InvalidPrincipal',
  'OverlappingCidrBlocks',
  'VpcPeeringConnectionAlreadyExists',
]);

/**
 * An error as people may read it: what the API says can name accounts and roles of the operator.
 * @param theirs what of the request was the customer's to say: a refusal that is about it ends the link
 */
export function asPeopleReadIt(error: unknown, theirs?: readonly string[]): Error {
  const code = codeOf(error);
  if (theirs && error instanceof Error && isFinal(code, error.message, theirs))
    return new LinkRefused(`the cloud refuses it (${code}: ${error.message})`, { cause: error });
  return new Error(`the cloud could not do it (${code})`, { cause: error });
}

/** A VPC that is not found may be the deployment's own, which was made a moment ago and is not known everywhere yet. */
function isFinal(code: string, message: string, theirs: readonly string[]): boolean {
  if (code === 'InvalidVpcID.NotFound') return theirs.some((value) => message.includes(value));
  return finalCodes.has(code);
}
