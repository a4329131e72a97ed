import type { LinkedDeployment } from '@sluice/drivers';
import { change, ensure, kindOf, remove, sameSet } from './api-changes.ts';
import type { compute_v1, Step } from './clients.ts';
import { linkMark, linkName } from './names.ts';

/** A network is closed by itself: clients of a link are admitted to the ports of brokers. */
export async function ensureFirewall(
  step: Step,
  { uid, deployment }: { uid: string; deployment: LinkedDeployment },
  network: string,
  sourceRanges: readonly string[],
): Promise<void> {
  const ports = portsOf(deployment);
  if (ports.length === 0) {
    await removeFirewall(step, uid);
    return;
  }
  const allowed = [{ IPProtocol: 'tcp', ports }];
  const wanted = { network, direction: 'INGRESS', sourceRanges: [...sourceRanges], allowed };
  const found = await ensure(step, firewallKind(step, uid, wanted));
  const known = found.allowed?.flatMap((rule) => rule.ports ?? []) ?? [];
  if (sameSet(known, ports) && sameSet(found.sourceRanges ?? [], sourceRanges)) return;
  const { api, project } = step;
  const requestBody = { sourceRanges: wanted.sourceRanges, allowed };
  await change(step, (options) =>
    api.firewalls.patch({ project, firewall: linkName(uid), requestBody }, options),
  );
}

/** @returns whether there was one */
export const removeFirewall = (step: Step, uid: string) => remove(step, firewallKind(step, uid));

export function portsOf({ brokers }: LinkedDeployment): string[] {
  const all = brokers.flatMap(({ ports }) => Object.values(ports));
  return [...new Set(all)].sort((one, other) => one - other).map(String);
}

const firewallKind = ({ api, project }: Step, uid: string, wanted: compute_v1.Schema$Firewall = {}) =>
  kindOf<compute_v1.Schema$Firewall>(
    api.firewalls,
    'firewall',
    { project },
    { ...wanted, name: linkName(uid), description: linkMark(uid) },
  );
