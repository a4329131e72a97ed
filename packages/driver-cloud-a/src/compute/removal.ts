import {
  DeleteSecurityGroupCommand,
  DeleteVolumeCommand,
  TerminateInstancesCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import type { DriverCall } from '@sluice/drivers';
import { isGoing, type ObservedState } from './observed-state.ts';

/** Takes away what can go now: instances, then what they have used. What is left is taken at another time. */
export async function removeObserved(ec2: EC2Client, seen: ObservedState, call: DriverCall): Promise<void> {
  const send = { abortSignal: call.signal };
  const running = seen.instances.filter((instance) => !isGoing(instance));
  if (running.length > 0) {
    await call.confirm();
    const InstanceIds = running.map(({ InstanceId = '' }) => InstanceId);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds }), send);
    return;
  }
  // one that goes lets go of them by and by
  if (seen.instances.length > 0) return;
  for (const { VolumeId, State } of seen.volumes) {
    if (State !== 'available' && State !== 'error') continue;
    await call.confirm();
    await ec2.send(new DeleteVolumeCommand({ VolumeId }), send);
  }
  const GroupId = seen.group?.GroupId;
  if (GroupId === undefined) return;
  await call.confirm();
  await ec2.send(new DeleteSecurityGroupCommand({ GroupId }), send);
}
